package dev.starling.lab.paper;

import dev.starling.data.Dataset;
import dev.starling.lab.comparison.Comparison;
import dev.starling.lab.comparison.ComparisonResult;
import dev.starling.lab.comparison.Conditions;
import dev.starling.lab.comparison.MethodResult;
import dev.starling.lab.comparison.Plan;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The idealised time to reach a suboptimality against the number of nodes, where each node brings the same number of
 * rows: measured, and as {@link Plan} predicts it for S-ADFS.
 *
 * @param settings what was asked for
 * @param critical the largest number of nodes for which, in theory, computation takes more time than communication
 * @param sizes what was found at every number of nodes
 * @param complete false if the run was stopped early
 */
public record NodeSweep(Settings settings, int critical, List<Size> sizes, boolean complete) {

    /** Unless a time limit is given, methods are cut off at this multiple of the time predicted for S-ADFS. */
    private static final double PATIENCE = 3;

    private static final String FAMILY = "grid";

    /**
     * What was found at one number of nodes.
     *
     * @param predicted the time that theory predicts for S-ADFS from the same start
     * @param measured the time of every method; empty for one that did not reach the suboptimality
     */
    public record Size(Network network, double gamma, double predicted, Map<String, OptionalDouble> measured) {}

    /**
     * What to measure.
     *
     * @param title what to call it
     * @param source where the rows come from
     * @param gap the suboptimality to reach
     * @param replicated whether all nodes have the same rows, instead of each its own
     */
    public record Settings(
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
            List<Integer> sizes,
            boolean replicated) {}

    /** Refuses methods that cannot be run, before any rows are read. */
    public static void check(Settings settings) {
        for (int nodes : settings.sizes()) {
            Comparison.checkMethods(
                    new Logistic(), 0, network(nodes), Conditions.usual(settings.tau()), settings.methods());
        }
    }

    private static Network network(int nodes) {
        return Topology.named(FAMILY).build(nodes, 1);
    }

    /**
     * Measures one size after another, in increasing order: small sizes are quick, so a run that is stopped still has
     * results.
     *
     * @param base the rows that nodes draw from
     * @param measured told about every size
     */
    public static NodeSweep measure(Settings settings, Dataset base, Consumer<Size> measured, StopSignal stop) {
        List<Size> sizes = new ArrayList<>();
        Plan largest = null;
        for (int nodes : settings.sizes()) {
            Network network = network(nodes);
            long seed = settings.seeds().get(0);
            Dataset rows = settings.replicated()
                    ? RandomShares.replicated(base, nodes, settings.samplesPerNode(), seed)
                    : RandomShares.forNodes(base, nodes, settings.samplesPerNode(), seed);
            Plan plan = plan(settings, rows, network);
            largest = plan;
            measure(settings, rows, network, plan, stop).ifPresent(size -> {
                sizes.add(size);
                measured.accept(size);
            });
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

    /**
     * The number of nodes at which, in the runs of a method, the time that grows with the network is as long as the
     * time that does not: a and b of a + b/√γ are fitted to the measured times, by the squares of relative errors.
     * Between and beyond the sizes that were run, log γ is taken as linear in log n. Empty if the runs show no such
     * number.
     */
    public OptionalDouble criticalInRuns(String method) {
        List<Size> reached = sizes.stream()
                .filter(size ->
                        size.network().size() > 1 && size.measured().get(method).isPresent())
                .toList();
        if (reached.size() < 3) {
            return OptionalDouble.empty();
        }
        double constants = 0;
        double mixed = 0;
        double slopes = 0;
        double constant = 0;
        double slope = 0;
        for (Size size : reached) {
            double one = 1 / size.measured().get(method).getAsDouble();
            double root = one / Math.sqrt(size.gamma());
            constants += one * one;
            mixed += one * root;
            slopes += root * root;
            constant += one;
            slope += root;
        }
        double a = slopes * constant - mixed * slope;
        double b = constants * slope - mixed * constant;
        if (a <= 0 || b <= 0) {
            return OptionalDouble.empty();
        }
        double gamma = b / a * (b / a);
        int above = 1;
        while (above < reached.size() - 1 && reached.get(above).gamma() > gamma) {
            above++;
        }
        Size low = reached.get(above - 1);
        Size high = reached.get(above);
        double share = StrictMath.log(gamma / low.gamma()) / StrictMath.log(high.gamma() / low.gamma());
        return OptionalDouble.of(low.network().size()
                * StrictMath.pow((double) high.network().size() / low.network().size(), share));
    }

    /** The names of the methods. */
    public List<String> methods() {
        return sizes.isEmpty() ? List.of() : List.copyOf(sizes.get(0).measured().keySet());
    }
}
