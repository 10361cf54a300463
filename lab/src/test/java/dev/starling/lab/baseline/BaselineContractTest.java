package dev.starling.lab.baseline;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Hinge;
import dev.starling.loss.Huber;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Problem;
import dev.starling.support.ReferenceNewton;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every method must do, whatever it is. */
@Tag("thorough")
class BaselineContractTest {

    private static final double GOAL = 1e-8;

    static List<Algorithm> methods() {
        return Baselines.all();
    }

    @Test
    void namesAreThoseOfTheCommandLine() {
        assertThat(Baselines.all())
                .extracting(Algorithm::name)
                .containsExactly(
                        "msda",
                        "esdacd",
                        "dsba",
                        "dsba-sparse",
                        "adfs-sparse",
                        "point-saga",
                        "extra",
                        "nids",
                        "gt-saga",
                        "dvr",
                        "dvr-chebyshev",
                        "proxskip",
                        "adom-plus",
                        "adom-vr",
                        "cola",
                        "dadao",
                        "fednl",
                        "network-giant",
                        "opapc",
                        "acc-vr-extra",
                        "acc-vr-diging",
                        "mudag",
                        "dvr-catalyst",
                        "ogt",
                        "aeg",
                        "s-dane",
                        "acc-s-dane",
                        "spag",
                        "sonata",
                        "acc-sonata",
                        "adaptive-nids");
        assertThat(Baselines.named("nids").name()).isEqualTo("nids");
        assertThatRefused(() -> Baselines.named("nds")).hasMessageContaining("did you mean 'nids'");
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyNodeReachesTheOptimumOfDenseRows(Algorithm method) {
        assertOptimum(method, Rows.fixture("species"), new Logistic(), 1e-3, grid(4));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyNodeReachesTheOptimumOfSparseRows(Algorithm method) {
        assertOptimum(method, Rows.fixture("census"), new Logistic(), 1e-2, ring(5));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyNodeReachesTheOptimumOfGeneratedClasses(Algorithm method) {
        assertOptimum(method, Rows.classification(121, 6), new Logistic(), 1e-2, ring(6));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyNodeReachesTheOptimumOfARobustRegression(Algorithm method) {
        assertOptimum(method, Rows.regression(90, 5), new Huber(0.5), 1e-2, grid(6));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyNodeReachesTheOptimumWithWeightedRowsAndEdges(Algorithm method) {
        Dataset data = Rows.classification(83, 4);
        double[] weights = new double[data.rows()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = 0.5 + (i % 7) * 0.3;
        }
        Network network = grid(4).withWeights(new double[] {1, 2, 0.5, 1.5});
        assertOptimum(method, data.withWeights(weights), new Logistic(), 1e-2, network);
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aSingleNodeReachesTheOptimum(Algorithm method) {
        assertOptimum(method, Rows.classification(60, 4), new Logistic(), 1e-2, Network.of(1, new int[0][]));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aCompleteGraphReachesTheOptimum(Algorithm method) {
        assertOptimum(
                method,
                Rows.classification(60, 4),
                new Logistic(),
                1e-2,
                Topology.named("complete").build(5, 1));
    }

    private static void assertOptimum(Algorithm method, Dataset data, Loss loss, double lambda, Network network) {
        double[] optimum = ReferenceNewton.optimum(data, loss, lambda);
        double best = ReferenceNewton.objective(data, loss, lambda, optimum);
        Problem problem = Problem.deal(data, loss, lambda, network.size());
        List<Trial.Point> curve = new Trial(method, problem, network, 5, best).run(GOAL, 20_000_000, 50, 60);
        assertThat(curve.get(curve.size() - 1).error())
                .as("mean suboptimality after %s", curve.get(curve.size() - 1))
                .isBetween(-1e-12, GOAL);
    }

    static Stream<Algorithm> steppedMethods() {
        return Baselines.all().stream().filter(method -> method.withStep(1).isPresent());
    }

    @ParameterizedTest
    @MethodSource("steppedMethods")
    void onlyAStepFactorOtherThanOneChangesTheIterates(Algorithm method) {
        double[] usual = after(method);

        assertThat(after(method.withStep(1).orElseThrow())).isEqualTo(usual);
        assertThat(after(method.withStep(0.5).orElseThrow())).isNotEqualTo(usual);
        assertThat(method.withStep(0.5).orElseThrow().name()).isEqualTo(method.name());
    }

    private static double[] after(Algorithm method) {
        Trial trial = new Trial(method, small(), ring(5), 5, 0);
        trial.run(-1, 40, 40, 60);
        double[] theta = new double[4];
        trial.programs().get(0).estimate(theta);
        assertThat(theta).doesNotContain(Double.NaN);
        return theta;
    }

    private static Problem small() {
        return Problem.deal(Rows.classification(43, 4), new Logistic(), 1e-2, 5);
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aLossWithKinksIsRefusedByNameAndAlternativesAreListed(Algorithm method) {
        Problem problem = Problem.deal(Rows.classification(20, 3), new Hinge(), 1e-2, 5);
        assertThatRefused(() -> method.programs(problem, ring(5), 5, 1))
                .hasMessageStartingWith(method.name() + " cannot take the loss hinge")
                .hasMessageContaining("adfs")
                .hasMessageContaining("logistic");
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aNetworkOfAnotherSizeIsRefused(Algorithm method) {
        assertThatRefused(() -> method.programs(small(), ring(4), 5, 1))
                .hasMessageContaining("5 nodes")
                .hasMessageContaining("4");
    }

    private static Network grid(int nodes) {
        return Topology.named("grid").build(nodes, 1);
    }

    private static Network ring(int nodes) {
        return Topology.named("ring").build(nodes, 1);
    }
}
