package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.page.LineChart;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.comparison.Comparison;
import dev.starling.lab.comparison.ComparisonResult;
import dev.starling.lab.comparison.Conditions;
import dev.starling.lab.comparison.MethodResult;
import dev.starling.lab.comparison.Plan;
import dev.starling.lab.comparison.RandomShares;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import dev.starling.runtime.StopSignal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * The idealised time to reach a suboptimality against the number of nodes, where each node brings the same number of
 * rows: measured, and as {@link Plan} predicts it for S-ADFS.
 *
 * @param settings what was asked for
 * @param critical the largest number of nodes for which, in theory, computation takes more time than communication
 * @param sizes what was found at every number of nodes
 * @param complete false if the run was stopped early
 */
record NodeSweep(Settings settings, int critical, List<Size> sizes, boolean complete) implements Measurements {

    /** Unless a time limit is given, methods are cut off at this multiple of the time predicted for S-ADFS. */
    private static final double PATIENCE = 3;

    private static final String FAMILY = "grid";

    /**
     * What was found at one number of nodes.
     *
     * @param predicted the time that theory predicts for S-ADFS from the same start
     * @param measured the time of every method; empty for one that did not reach the suboptimality
     */
    record Size(Network network, double gamma, double predicted, Map<String, OptionalDouble> measured) {}

    /**
     * What to measure.
     *
     * @param title what to call it
     * @param source where the rows come from
     * @param gap the suboptimality to reach
     */
    record Settings(
            String title,
            String source,
            int samplesPerNode,
            double lambda,
            double tau,
            double gap,
            int points,
            int watch,
            OptionalDouble time,
            List<String> methods,
            List<Long> seeds,
            List<Integer> sizes) {}

    /** Parses the sizes, in increasing order: small sizes are quick, so an interrupted run still has results. */
    static List<Integer> sizes(String given) {
        String text = given == null ? "1,4,9,16,36,64,100,196,400" : given;
        try {
            List<Integer> sizes = ComparisonOptions.words(text).stream()
                    .map(Integer::valueOf)
                    .sorted()
                    .distinct()
                    .toList();
            if (sizes.get(0) >= 1) {
                return sizes;
            }
        } catch (NumberFormatException e) {
            throw new InvalidInputException(malformedSizes(text), e);
        }
        throw new InvalidInputException(malformedSizes(text));
    }

    private static String malformedSizes(String text) {
        return "--nodes-list '" + text + "' must be numbers of nodes with commas, such as 1,4,16,64";
    }

    /** Refuses methods that cannot be run, before any rows are read. */
    static void check(Settings settings) {
        for (int nodes : settings.sizes()) {
            Comparison.checkMethods(
                    new Logistic(), 0, network(nodes), Conditions.usual(settings.tau()), settings.methods());
        }
    }

    private static Network network(int nodes) {
        return Topology.named(FAMILY).build(nodes, 1);
    }

    /** Measures one size after another, and logs each. */
    static NodeSweep measure(Settings settings, Dataset base, Optional<PrintWriter> log, StopSignal stop) {
        List<Size> sizes = new ArrayList<>();
        Plan largest = null;
        for (int nodes : settings.sizes()) {
            Network network = network(nodes);
            Dataset rows = RandomShares.forNodes(
                    base, nodes, settings.samplesPerNode(), settings.seeds().get(0));
            Plan plan = plan(settings, rows, network);
            largest = plan;
            Optional<Size> size = measure(settings, rows, network, plan, stop);
            size.ifPresent(sizes::add);
            size.ifPresent(found -> log.ifPresent(out -> {
                out.println("n = " + nodes + ": " + shown(found));
                out.flush();
            }));
            if (stop.isRaised()) {
                break;
            }
        }
        return new NodeSweep(settings, critical(largest), sizes, !stop.isRaised());
    }

    private static Plan plan(Settings settings, Dataset rows, Network network) {
        List<Conditioning> facts =
                Problem.deal(rows, new Logistic(), settings.lambda(), network.size()).nodes().parallelStream()
                        .map(Conditioning::of)
                        .toList();
        return Plan.of(facts, settings.tau(), network);
    }

    private static int critical(Plan plan) {
        return Plan.lastDominatedByComputation(plan.atOtherSizes(FAMILY, 1).stream()
                        .map(other -> other.withSamplesPerNode(plan.samplesPerNode()))
                        .toList())
                .nodes();
    }

    private static Optional<Size> measure(
            Settings settings, Dataset rows, Network network, Plan plan, StopSignal stop) {
        double digits = StrictMath.log10(1 / settings.gap());
        Optional<ComparisonResult> outcome = Comparison.of(
                        rows, new Logistic(), settings.lambda(), network, settings.tau())
                .methods(settings.methods())
                .seeds(settings.seeds())
                .points(settings.points())
                .watch(settings.watch())
                .time(settings.time().orElse(PATIENCE * plan.tunedTimePerDigit() * digits))
                .gap(settings.gap())
                .stopSignal(stop)
                .run();
        if (outcome.isEmpty() || !outcome.get().complete()) {
            return Optional.empty();
        }
        Map<String, OptionalDouble> measured = new LinkedHashMap<>();
        for (MethodResult result : outcome.get().methods()) {
            measured.put(result.method(), result.timeTo(settings.gap()));
        }
        double start = outcome.get().methods().get(0).moments().get(0).median().suboptimality();
        double predicted = plan.tunedTimePerDigit() * Math.max(0, StrictMath.log10(start / settings.gap()));
        return Optional.of(new Size(network, plan.gamma(), predicted, measured));
    }

    private static String shown(Size size) {
        return size.measured().entrySet().stream()
                        .map(entry -> entry.getKey() + " " + shown(entry.getValue()))
                        .collect(Collectors.joining(", "))
                + ", predicted " + NumberFormats.shortText(size.predicted());
    }

    private static String shown(OptionalDouble time) {
        return NumberFormats.shortText(time.orElse(Double.NaN));
    }

    private List<String> methods() {
        return sizes.isEmpty() ? List.of() : List.copyOf(sizes.get(0).measured().keySet());
    }

    @Override
    public void print(PrintWriter out) {
        out.println(settings.title());
        out.printf("idealised time to a relative suboptimality of %s%n%n", Json.text(settings.gap()));
        out.printf("%6s  %10s  %10s", "nodes", "gamma", "predicted");
        methods().forEach(method -> out.printf("  %14s", method));
        out.println();
        for (Size size : sizes) {
            out.printf(
                    Locale.ROOT,
                    "%6d  %10s  %10s",
                    size.network().size(),
                    NumberFormats.shortText(size.gamma()),
                    NumberFormats.shortText(size.predicted()));
            size.measured().values().forEach(time -> out.printf("  %14s", shown(time)));
            out.println();
        }
        out.println();
        out.println("critical n " + critical
                + ": with more nodes, in theory, communication takes more time than computation");
        out.flush();
    }

    @Override
    public void csv(PrintWriter out) {
        out.println("nodes,gamma,predicted"
                + methods().stream().map(name -> "," + name).collect(Collectors.joining()));
        for (Size size : sizes) {
            out.print(size.network().size() + "," + Json.text(size.gamma()) + "," + Json.text(size.predicted()));
            size.measured()
                    .values()
                    .forEach(time -> out.print("," + (time.isPresent() ? Json.text(time.getAsDouble()) : "")));
            out.println();
        }
        out.flush();
    }

    @Override
    public void write(JsonGenerator json) {
        json.writeStringProperty("title", settings.title());
        json.writeStringProperty("data", settings.source());
        json.writeNumberProperty("samplesPerNode", settings.samplesPerNode());
        json.writeNumberProperty("lambda", settings.lambda());
        json.writeNumberProperty("tau", settings.tau());
        json.writeNumberProperty("gap", settings.gap());
        Measurements.writeSeeds(json, settings.seeds());
        json.writeNumberProperty("criticalNodes", critical);
        json.writeArrayPropertyStart("sizes");
        for (Size size : sizes) {
            json.writeStartObject();
            json.writeNumberProperty("nodes", size.network().size());
            json.writeStringProperty("network", size.network().description());
            Json.number(json, "gamma", size.gamma());
            Json.number(json, "predictedTime", size.predicted());
            Measurements.writeTimes(json, size.measured());
            json.writeEndObject();
        }
        json.writeEndArray();
        Measurements.writeOrigin(json, complete);
    }

    /** The time axis starts at zero, so that flat curves look flat. */
    @Override
    public LineChart chart() {
        double[] nodes =
                sizes.stream().mapToDouble(size -> size.network().size()).toArray();
        List<LineChart.Series> series = new ArrayList<>();
        for (String method : methods()) {
            series.add(LineChart.Series.of(
                    method,
                    nodes,
                    sizes.stream()
                            .mapToDouble(size -> size.measured().get(method).orElse(Double.NaN))
                            .toArray()));
        }
        series.add(LineChart.Series.of(
                "adfs, predicted",
                nodes,
                sizes.stream().mapToDouble(Size::predicted).toArray()));
        double highest = sizes.stream().mapToDouble(Size::predicted).max().orElse(1);
        if (nodes.length > 0 && critical <= nodes[nodes.length - 1]) {
            series.add(LineChart.Series.of(
                    "critical n = " + critical, new double[] {critical, critical}, new double[] {0, highest}));
        }
        return LineChart.of(
                settings.title(), "nodes n", true, "idealised time to " + Json.text(settings.gap()), false, series);
    }
}
