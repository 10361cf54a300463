package dev.starling.cli.train;

import dev.starling.Preparation;
import dev.starling.cli.console.Json;
import dev.starling.method.Method;
import dev.starling.method.adfs.NonSmoothTuning;
import dev.starling.method.adfs.Pace;
import dev.starling.method.adfs.Tuning;
import dev.starling.method.newton.NewtonPace;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.problem.NodeFacts;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import tools.jackson.core.JsonGenerator;

/** The method of a run and every constant of it before its first step, with its symbol and its meaning. */
public final class Explanation {

    /** Nobody asked. */
    public static final Explanation NONE = new Explanation("", Map.of());

    private static final int LARGEST_EXACT = 1 << 24;

    /** A number, the letter that the paper has for it, and what it is. */
    private record Constant(String name, String symbol, String meaning, double value) {}

    private final String method;
    private final Map<String, List<Constant>> sections;

    private Explanation(String method, Map<String, List<Constant>> sections) {
        this.method = method;
        this.sections = sections;
    }

    public static Explanation of(Preparation preparation, double lambda) {
        Map<String, List<Constant>> sections = new LinkedHashMap<>();
        sections.put("network", network(preparation.network()));
        sections.put("data", data(preparation, lambda));
        sections.put("tuning", constants(preparation.tuning()));
        sections.put("prediction", prediction(preparation));
        return new Explanation(preparation.method().lowerCase(), sections);
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

    private static List<Constant> data(Preparation preparation, double lambda) {
        List<Constant> constants = new ArrayList<>();
        constants.add(new Constant("samples", "N", "rows of all nodes", preparation.samples()));
        constants.add(new Constant("lambda", "λ", "regularisation, in mean loss + λ/2 |w|²", lambda));
        List<NodeFacts> facts = preparation.facts();
        perNode(constants, facts, "samplesPerNode", "m_i", "rows of a node", NodeFacts::samples);
        perNode(constants, facts, "sigma", "σ_i", "a node's share of the regulariser", NodeFacts::sigma);
        if (!(preparation.tuning() instanceof Tuning)) {
            // The other facts are those of smooth losses.
            return constants;
        }
        perNode(constants, facts, "rootSum", "S_i", "Σ_j √(1 + L_ij/σ_i) over a node's rows", NodeFacts::rootSum);
        perNode(
                constants,
                facts,
                "curvature",
                "M_i",
                "curvature of a node's loss, λmax(Σ_j β x xᵀ)",
                NodeFacts::curvature);
        perNode(
                constants,
                facts,
                "batchConditioning",
                "κ_b",
                "conditioning that a batch method sees",
                NodeFacts::batchConditioning);
        perNode(
                constants,
                facts,
                "stochasticConditioning",
                "κ_s",
                "conditioning that a stochastic method sees",
                NodeFacts::stochasticConditioning);
        return constants;
    }

    /** One number if all nodes agree, otherwise the smallest and the largest. */
    private static void perNode(
            List<Constant> constants,
            List<NodeFacts> facts,
            String name,
            String symbol,
            String meaning,
            ToDoubleFunction<NodeFacts> value) {
        double smallest = facts.stream().mapToDouble(value).min().orElse(Double.NaN);
        double largest = facts.stream().mapToDouble(value).max().orElse(Double.NaN);
        if (smallest == largest) {
            constants.add(new Constant(name, symbol, meaning, largest));
        } else {
            constants.add(new Constant(name + "Min", symbol, meaning + ", smallest", smallest));
            constants.add(new Constant(name + "Max", symbol, meaning + ", largest", largest));
        }
    }

    private static List<Constant> constants(Pace pace) {
        if (pace instanceof Tuning tuning) {
            return smooth(tuning);
        }
        if (pace instanceof NewtonPace newton) {
            return newton(newton);
        }
        List<Constant> constants = new ArrayList<>();
        constants.add(new Constant("tau", "τ", "time of a message when a proximal step takes 1", pace.delay()));
        constants.add(new Constant(
                "communicationProbability",
                "p_comm",
                "probability that a step is a round",
                pace.communicationProbability()));
        constants.add(new Constant(
                "computationProbability",
                "p_comp",
                "probability that a step is a proximal step",
                pace.computationProbability()));
        if (pace instanceof NonSmoothTuning tuning) {
            constants.add(new Constant(
                    "scaledEigenvalue", "Λ", "largest eigenvalue of Aᵀ diag(σ)⁻¹ A", tuning.largestEigenvalue()));
            constants.add(new Constant(
                    "smallestProbability",
                    "p_min",
                    "least probability of a row in a step; the first momentum a_0",
                    tuning.smallestProbability()));
            constants.add(new Constant(
                    "stepsUntilRestart", "", "steps until the first restart", tuning.stepsBetweenRestarts(0)));
        }
        return constants;
    }

    private static List<Constant> smooth(Tuning tuning) {
        return List.of(
                new Constant("tau", "τ", "time of a message when a proximal step takes 1", tuning.delay()),
                new Constant(
                        "balance", "c", "balance of computation and communication, chosen for τ", tuning.balance()),
                new Constant(
                        "strongConvexity",
                        "σ_A",
                        "strong convexity of the dual on the graph",
                        tuning.strongConvexity()),
                new Constant(
                        "computationConstant",
                        "C_comp",
                        "proximal steps of a node per factor e in the error",
                        tuning.computationConstant()),
                new Constant(
                        "communicationConstant",
                        "C_comm",
                        "rounds per factor e in the error",
                        tuning.communicationConstant()),
                new Constant(
                        "communicationProbability",
                        "p_comm",
                        "probability that a step is a round",
                        tuning.communicationProbability()),
                new Constant(
                        "computationProbability",
                        "p_comp",
                        "probability that a step is a proximal step",
                        tuning.computationProbability()),
                new Constant("rate", "ρ", "share of the expected error that a step takes away", tuning.rate()),
                new Constant("stepSize", "η", "step size, ρ/σ_A", tuning.stepSize()),
                new Constant("momentumDecay", "φ", "momentum kept at every step, (1−ρ)/(1+ρ)", tuning.momentumDecay()),
                new Constant(
                        "timePerFactor", "", "idealised time per factor e, C_comp + τ C_comm", tuning.timePerFactor()));
    }

    private static List<Constant> newton(NewtonPace pace) {
        return List.of(
                new Constant("tau", "τ", "time of a message when visiting a row takes 1", pace.delay()),
                new Constant("treeDepth", "", "hops from node 0 to the farthest, along a tree", pace.depth()),
                new Constant(
                        "roundsPerPass",
                        "",
                        "rounds of a pass: a point down the tree, sums up it",
                        2.0 * pace.depth()));
    }

    private static List<Constant> prediction(Preparation preparation) {
        double steps = preparation.predictedSteps();
        Pace tuning = preparation.tuning();
        boolean newton = preparation.method() == Method.NEWTON;
        return List.of(
                new Constant("targetGap", "", "relative gap asked for", preparation.targetGap()),
                new Constant(
                        "predictedSteps",
                        "K",
                        newton ? "rows that a node visits until then" : "steps until then, by the rate",
                        steps),
                new Constant(
                        "predictedEpochs",
                        "",
                        newton ? "passes over all rows in them" : "proximal steps per row in them",
                        preparation.epochs(steps)),
                new Constant(
                        "predictedRounds",
                        "",
                        "communication rounds in them",
                        steps * tuning.communicationProbability()),
                new Constant(
                        "predictedIdealisedTime",
                        "",
                        newton
                                ? "idealised time: 1 per row visited, τ per round"
                                : "idealised time: 1 per proximal step, τ per round",
                        preparation.idealisedTime(steps)));
    }

    /** The value of a constant; empty if the method has no such constant. */
    public OptionalDouble value(String section, String name) {
        return sections.getOrDefault(section, List.of()).stream()
                .filter(constant -> constant.name().equals(name))
                .mapToDouble(Constant::value)
                .findFirst();
    }

    void print(PrintWriter out) {
        int symbols = width(Constant::symbol);
        int meanings = width(Constant::meaning);
        out.println("method: " + method);
        sections.forEach((section, constants) -> {
            out.println(section);
            for (Constant constant : constants) {
                out.printf(
                        Locale.ROOT,
                        "  %-" + symbols + "s  %-" + meanings + "s  %s%n",
                        constant.symbol(),
                        constant.meaning(),
                        shown(constant.value()));
            }
        });
        out.println();
        out.flush();
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
                : String.format(Locale.ROOT, "%.6g", value);
    }

    public void write(JsonGenerator json) {
        sections.forEach((section, constants) -> {
            json.writeObjectPropertyStart(section);
            for (Constant constant : constants) {
                json.writeObjectPropertyStart(constant.name());
                json.writeStringProperty("symbol", constant.symbol());
                json.writeStringProperty("meaning", constant.meaning());
                Json.number(json, "value", constant.value());
                json.writeEndObject();
            }
            json.writeEndObject();
        });
        json.writeStringProperty("method", method);
    }
}
