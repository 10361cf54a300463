package dev.starling.lab.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.MethodNode;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.SigmaSplit;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tunings;
import dev.starling.network.EdgeWeights;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Splits of the regulariser and weights of edges are taken where the predicted time falls, and then the measured does.
 */
class PredictionDecidesTest {

    private static final double LAMBDA = 1e-4;
    /** Messages are quick, so that time is spent computing. */
    private static final Timing FAST = Timing.even(0.2);

    private static final Network GRID = Topology.named("grid:3x3").build(9, 1);
    private static final Dataset ROWS =
            Generator.classification(3600, 10).noise(0.1).seed(5).generate();

    /** The node in the middle has ten times the rows of each of the others. */
    private static Problem uneven() {
        List<LocalProblem> nodes = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < 9; i++) {
            int count = i == 4 ? 2000 : 200;
            nodes.add(LocalProblem.of(
                    ROWS.picked(IntStream.range(first, first + count).toArray()), new Logistic(), LAMBDA));
            first += count;
        }
        return new Problem(nodes);
    }

    private static List<Conditioning> facts(Problem problem) {
        return problem.nodes().stream().map(Conditioning::of).toList();
    }

    @Test
    void equalNodesKeepTheirSplit() {
        List<Conditioning> facts = facts(Problem.deal(ROWS, new Logistic(), LAMBDA, 9));

        assertThat(SigmaSplit.best(facts, Timing.even(5), split -> {
                    throw new AssertionError("there is nothing to gain");
                }))
                .isSameAs(facts);
    }

    @Test
    void unevenNodesKeepTheirSplitWhenMessagesAreSlow() {
        List<Conditioning> facts = facts(uneven());
        assertThat(EdgeSampling.matchings(GRID)
                        .tune(GRID, facts, Timing.even(50))
                        .sigmas())
                .isEqualTo(facts.stream().map(Conditioning::sigma).toList());
    }

    @Test
    void theSplitKeepsItsSumAndTheBusiestNodeGetsMore() {
        List<Conditioning> facts = facts(uneven());
        PartialTuning tuning = EdgeSampling.matchings(GRID).tune(GRID, facts, FAST);
        double before = facts.stream().mapToDouble(Conditioning::sigma).sum();

        assertThat(tuning.sigmas().stream().mapToDouble(sigma -> sigma).sum()).isCloseTo(before, within(1e-9 * before));
        assertThat(tuning.sigmas().get(4)).isGreaterThan(1.2 * facts.get(4).sigma());
    }

    /** Without ρ ≤ c·p_ij a proximal step is not defined. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-5, 1e-3, 1e-1, 10})
    void aSlowNodeStillDrawsEverySampleOftenEnough(double lambda) {
        List<Conditioning> facts = facts(Problem.deal(ROWS, new Logistic(), lambda, 9));
        Timing timing = Timing.even(1).withNode(2, 30).withNode(7, 4);
        PartialTuning tuning = EdgeSampling.all(GRID).tune(GRID, facts, timing);

        for (int i = 0; i < 9; i++) {
            Conditioning node = facts.get(i).withSigma(tuning.sigmas().get(i));
            double share = tuning.shares().get(i) * tuning.tuning().computationProbability() / node.rootSum();
            double rate = tuning.tuning().rate() * (1 - 1e-12);
            assertThat(rate).isLessThanOrEqualTo(tuning.tuning().balance() * share * node.smallestRoot());
            assertThat(rate).isLessThanOrEqualTo(Math.sqrt(tuning.tuning().balance()) * share);
        }
    }

    @Test
    void factsOfAnotherSplitBoundTheTrueOnes() {
        LocalProblem node = uneven().nodes().get(0);
        Conditioning facts = Conditioning.of(node);
        for (double factor : new double[] {0.05, 0.5, 1, 1.5, 20, 1000}) {
            Conditioning exact = Conditioning.of(node.withSigma(factor * node.sigma()));
            Conditioning bound = facts.withSigma(factor * node.sigma());
            assertThat(bound.rootSum()).isBetween(exact.rootSum() * (1 - 1e-12), exact.rootSum() * 1.2);
            assertThat(bound.smallestRoot()).isCloseTo(exact.smallestRoot(), within(1e-9));
        }
    }

    @Test
    void theMeasuredTimeFallsWithThePredictedOneOfASplit() {
        Problem problem = uneven();
        EdgeSampling sampling = EdgeSampling.matchings(GRID);
        PartialTuning split = sampling.tune(GRID, facts(problem), FAST);
        PartialTuning usual = sampling.tuned(GRID, facts(problem), FAST);

        assertThat(split.timePerFactor()).isLessThan(0.95 * usual.timePerFactor());
        assertThat(measured(problem, split)).isLessThan(0.95 * measured(problem, usual));
    }

    /** Idealised time per factor e, from the first certificate to the last. */
    private static double measured(Problem problem, PartialTuning tuning) {
        Facts totals = new Facts(problem.samples(), problem.totalWeight(), problem.totalSigma(), new double[0]);
        SharedWork shared = new SharedWork();
        return measured(
                GRID,
                FAST,
                (node, listener) -> new CertifiedProgram(
                        new PartialAdfs(problem.nodes().get(node), GRID, node, tuning, 3),
                        Collectives.together(GRID.spanningTree(), node, GRID.size(), shared),
                        totals,
                        Theory.fixed(tuning),
                        new StoppingRule(1e-8, 100_000),
                        listener));
    }

    @Test
    void trainingSplitsTheRegulariserWhenThatIsFaster() {
        Problem problem = uneven();
        List<Conditioning> facts = facts(problem);
        Tunings split = Tunings.best(GRID, facts, FAST.delay());
        Tunings usual = new Tunings(GRID, facts, FAST.delay());

        assertThat(split.sigma(4)).isGreaterThan(1.2 * facts.get(4).sigma());
        assertThat(split.smooth(Belief.THEORY).timePerFactor())
                .isLessThan(0.95 * usual.smooth(Belief.THEORY).timePerFactor());
        assertThat(measured(problem, facts, split)).isLessThan(0.95 * measured(problem, facts, usual));
    }

    private static double measured(Problem problem, List<Conditioning> facts, Tunings tunings) {
        Facts totals = new Facts(problem.samples(), problem.totalWeight(), problem.totalSigma(), new double[0]);
        SharedWork shared = new SharedWork();
        return measured(
                GRID,
                FAST,
                (node, listener) -> new CertifiedProgram(
                        new Adfs(
                                problem.nodes().get(node).withSigma(tunings.sigma(node)),
                                facts.get(node),
                                tunings.network(),
                                node,
                                tunings::smooth,
                                3),
                        Collectives.together(GRID.spanningTree(), node, GRID.size(), shared),
                        totals,
                        Theory.fixed(tunings.pace(Belief.THEORY)),
                        new StoppingRule(1e-8, 100_000),
                        listener));
    }

    @Test
    void trainingChangesWeightsOfEdgesWhenThatIsPredictedToBeFaster() {
        Network irregular = Topology.named("erdos-renyi:0.12").build(40, 4);
        List<Conditioning> facts = facts(dealt(irregular));
        Tunings best = Tunings.best(irregular, facts, 100);

        assertThat(best.network()).isNotSameAs(irregular);
        assertThat(best.smooth(Belief.THEORY).timePerFactor())
                .isLessThan(0.95
                        * new Tunings(irregular, facts, 100)
                                .smooth(Belief.THEORY)
                                .timePerFactor());
    }

    @ParameterizedTest
    @ValueSource(strings = {"grid", "line", "star", "binary-tree", "ring"})
    void equalNodesOnUsualGraphsKeepSplitAndWeights(String topology) {
        Network network = Topology.named(topology).build(15, 1);
        List<Conditioning> facts = facts(dealt(network));
        Tunings best = Tunings.best(network, facts, 100);

        assertThat(best.network()).isSameAs(network);
        assertThat(best.sigma(0)).isEqualTo(facts.get(0).sigma());
    }

    private interface NodeMaker {
        MethodNode node(int number, CertificateListener listener);
    }

    private static double measured(Network network, Timing timing, NodeMaker maker) {
        List<Double> gaps = new ArrayList<>();
        List<MethodNode> nodes = IntStream.range(0, network.size())
                .mapToObj(node -> maker.node(
                        node,
                        node == 0
                                ? (certificate, next) -> gaps.add(certificate.relativeGap())
                                : CertificateListener.NONE))
                .toList();
        double time = new Simulator()
                .run(network, nodes, Delays.of(timing), StopSignal.manual())
                .idealisedTime();
        return time / Math.log(1 / gaps.get(gaps.size() - 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "complete", "torus", "hypercube"})
    void regularNetworksKeepTheirWeights(String topology) {
        assertThat(EdgeWeights.candidates(Topology.named(topology).build(16, 1), Timing.even(5)))
                .hasSize(1);
    }

    @Test
    void theMeasuredTimeFallsWithThePredictedOneOfWeights() {
        String method = "adfs-local";
        Network network = Topology.named("erdos-renyi:0.12").build(40, 4);
        double[] given = new double[network.edges()];
        Arrays.fill(given, 2);
        Network asGiven = network.withWeights(given);
        Timing timing = Timing.even(100);

        assertThat(tuned(method, network, timing).forecast().idealisedTimeFor(Math.E))
                .isLessThan(0.95 * tuned(method, asGiven, timing).forecast().idealisedTimeFor(Math.E));
        assertThat(measured(method, network, timing)).isLessThan(0.97 * measured(method, asGiven, timing));
    }

    @Test
    void aSlowEdgeIsUsedLess() {
        Network grid = Topology.named("grid:4x4").build(16, 1);
        Timing timing = Timing.even(5).withEdge(5, 6, 2000);
        double[] given = new double[grid.edges()];
        Arrays.fill(given, 2);
        Network asGiven = grid.withWeights(given);

        assertThat(measured("adfs-local", grid, timing)).isLessThan(0.8 * measured("adfs-local", asGiven, timing));
    }

    private static Problem dealt(Network network) {
        return Problem.deal(ROWS, new Logistic(), LAMBDA, network.size());
    }

    private static Tuned tuned(String name, Network network, Timing timing) {
        Problem problem = dealt(network);
        Method method = Methods.named(name);
        List<Facts> facts = problem.nodes().stream()
                .map(node -> Facts.of(node, method.facts(node)))
                .toList();
        Objective objective = new Objective(new Logistic(), problem.regulariser());
        return method.tune(network, objective, Shape.of(ROWS), facts, timing);
    }

    private static double measured(String name, Network network, Timing timing) {
        Problem problem = dealt(network);
        Tuned tuned = tuned(name, network, timing);
        SharedWork shared = new SharedWork();
        return measured(
                network,
                timing,
                (node, listener) -> tuned.node(
                        new Assignment(
                                problem.nodes().get(node),
                                Collectives.together(network.spanningTree(), node, network.size(), shared),
                                new StoppingRule(1e-8, 100_000),
                                3,
                                listener),
                        Optional.empty()));
    }
}
