package dev.starling.cli.train;

import dev.starling.Trainer;
import dev.starling.internal.JsonObject;
import dev.starling.job.TrainingPlan;
import dev.starling.lab.comparison.Split;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.StoppingRule;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.settings.Settings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** The method of a run and all its constants, as known before the first step, with their symbols and meanings. */
public final class Explanation {

    /** The explanation of a run for which none was asked. */
    public static final Explanation NONE = new Explanation("", Map.of());

    private static final int LARGEST_EXACT = 1 << 24;

    private final String method;
    private final Map<String, List<Constant>> sections;

    private Explanation(String method, Map<String, List<Constant>> sections) {
        this.method = method;
        this.sections = sections;
    }

    public static Explanation of(TrainingPlan plan, Settings settings) {
        Map<String, List<Constant>> sections = new LinkedHashMap<>();
        sections.put("network", network(plan.network()));
        sections.put("data", data(plan, settings.lambda()));
        sections.put("tuning", plan.method().constants());
        sections.put("prediction", prediction(plan, settings.rule()));
        return new Explanation(plan.method().name(), sections);
    }

    /** Returns a copy with another section. */
    public Explanation with(String section, List<Constant> constants) {
        Map<String, List<Constant>> more = new LinkedHashMap<>(sections);
        more.put(section, constants);
        return new Explanation(method, more);
    }

    /** Returns a copy that says what the split of the rows is where methods start. */
    public Explanation withSplit(Trainer.Start start) {
        return with(
                "split", Split.atTheStart(start.problem().get(), start.plan().network()));
    }

    boolean isEmpty() {
        return sections.isEmpty();
    }

    private static List<Constant> network(Network network) {
        Spectrum spectrum = Spectrum.of(network);
        return List.of(
                new Constant("nodes", "n", "nodes of the graph: " + network.description(), network.size()),
                new Constant("edges", "E", "edges between them", network.edges()),
                new Constant("diameter", "", "largest number of hops between two nodes", network.diameter()),
                new Constant(
                        "smallestEigenvalue",
                        "λmin⁺",
                        "smallest non-zero eigenvalue of the Laplacian",
                        spectrum.smallest()),
                new Constant("largestEigenvalue", "λmax", "largest eigenvalue of the Laplacian", spectrum.largest()),
                new Constant("gamma", "γ", "λmin⁺/λmax: how well the graph is connected", spectrum.gamma()));
    }

    private static List<Constant> data(TrainingPlan plan, double lambda) {
        List<Constant> constants = new ArrayList<>();
        constants.add(new Constant("samples", "N", "rows of all nodes", plan.samples()));
        constants.add(new Constant("lambda", "λ", "regularisation, in mean loss + λ/2 |w|²", lambda));
        constants.addAll(Constant.ofNodes(
                "samplesPerNode",
                "m_i",
                "rows of a node",
                plan.facts().stream().mapToDouble(Facts::samples).toArray()));
        constants.addAll(Constant.ofNodes(
                "sigma",
                "σ_i",
                "a node's share of the regulariser",
                plan.facts().stream().mapToDouble(Facts::sigma).toArray()));
        constants.addAll(plan.method().dataConstants());
        return constants;
    }

    private static List<Constant> prediction(TrainingPlan plan, StoppingRule rule) {
        List<Constant> constants = new ArrayList<>();
        constants.add(new Constant("targetGap", "", "relative gap to reach", plan.targetGap()));
        constants.addAll(plan.method().forecast().details(plan.targetGap()));
        if (plan.excess(rule) > 1) {
            String meaning = "times what --max-epochs allows: hopeless, choose another --method";
            constants.add(new Constant("hopeless", "!", meaning, plan.excess(rule)));
        }
        return constants;
    }

    /** Returns the value of a constant; empty if the method has no such constant. */
    public OptionalDouble value(String section, String name) {
        return sections.getOrDefault(section, List.of()).stream()
                .filter(constant -> constant.name().equals(name))
                .mapToDouble(Constant::value)
                .findFirst();
    }

    /** Prints all sections. */
    public void print(PrintWriter out) {
        int symbols = width(Constant::symbol);
        int meanings = width(Constant::meaning);
        out.println("method: " + method);
        sections.forEach((section, constants) -> {
            out.println(section);
            for (Constant constant : constants) {
                out.printf(
                        Locale.US,
                        "  %-" + symbols + "s  %-" + meanings + "s  %s%n",
                        constant.symbol(),
                        constant.meaning(),
                        shown(constant.value()));
            }
        });
        out.println();
    }

    private int width(java.util.function.Function<Constant, String> column) {
        return sections.values().stream()
                .flatMap(List::stream)
                .mapToInt(constant -> column.apply(constant).length())
                .max()
                .orElse(1);
    }

    private static String shown(double value) {
        return value == Math.rint(value) && Math.abs(value) < LARGEST_EXACT
                ? Long.toString((long) value)
                : String.format(Locale.US, "%.6g", value);
    }

    public void write(JsonObject json) {
        sections.forEach((section, constants) -> {
            json.object(
                    section,
                    all -> constants.forEach(constant -> all.object(
                            constant.name(),
                            one -> one.with("symbol", constant.symbol())
                                    .with("meaning", constant.meaning())
                                    .with("value", constant.value()))));
        });
        json.with("method", method);
    }
}
