package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.starling.lab.baseline.gossip.AccVr;
import dev.starling.lab.baseline.gossip.Ogt;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Streams;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run costs in the paper's idealised time, on six nodes of ten samples each with τ = 5. */
class IdealisedTimeTest {

    private static final int ROUNDS = 12;
    private static final double TAU = 5;

    private final Network network = Topology.named("ring").build(6, 1);
    private final Problem problem = Problem.deal(Rows.classification(60, 3), new Logistic(), 1e-2, 6);

    private Trial.Point after(Algorithm method, Problem on, Network graph) {
        List<Trial.Point> curve = new Trial(method, on, graph, TAU, 0).run(-1, ROUNDS, ROUNDS, 60);
        return curve.get(0);
    }

    private double time(Algorithm method) {
        return after(method, problem, network).time();
    }

    /**
     * Of a ring of six γ is 1/4, so that K = 2, and its tree has three levels below its root; a row of three values
     * takes 1 + 3/4 in a Hessian.
     */
    static Stream<Arguments> times() {
        double gossiping = ROUNDS * TAU;
        double first = 10;
        return Stream.of(
                arguments("msda", ROUNDS / 2 * 10 + gossiping),
                arguments("opapc", ROUNDS / 2 * 10 + gossiping),
                arguments("extra", ROUNDS * 10 + gossiping),
                arguments("adom-plus", ROUNDS * 10 + gossiping),
                arguments("cola", ROUNDS * 10 + gossiping),
                arguments("nids", first + ROUNDS * 10 + gossiping),
                arguments("dsba", first + (ROUNDS - 1) + gossiping),
                arguments("dsba-sparse", first + (ROUNDS - 1) + gossiping),
                arguments("gt-saga", first + (ROUNDS - 1) + gossiping),
                arguments("fednl", ROUNDS * 17.5 + (ROUNDS + ROUNDS - 1) * 3 * TAU));
    }

    @ParameterizedTest
    @MethodSource("times")
    void iterationsTakeTheirGradientsAndTheirRounds(String method, double expected) {
        assertThat(time(Baselines.named(method))).isEqualTo(expected);
    }

    @Test
    void anIterationOfMudagTakesAGradientAndTwoAverages() {
        Network complete = Topology.named("complete").build(6, 1);
        // On a complete graph one round is an average: the first gradient, then a gradient with every second round.
        assertThat(after(Baselines.named("mudag"), problem, complete).time())
                .isEqualTo(10 + ROUNDS / 2 * 10 + ROUNDS * TAU);
    }

    @Test
    void aRoundOfOgtTakesAGradientWhenItsCoinSaysSo() {
        double probability = Ogt.Parameters.of(Gossip.of(network), BaselineFacts.of("test", problem, network), 1)
                .probability();
        UniformRandomProvider coins = Streams.shared(Trial.SEED);
        int gradients = 1;
        for (int round = 0; round < ROUNDS; round++) {
            boolean correcting = (coins.nextLong() >>> 11) * 0x1p-53 < probability;
            boolean renewing = (coins.nextLong() >>> 11) * 0x1p-53 < probability;
            gradients += correcting || renewing ? 1 : 0;
        }
        assertThat(gradients).isBetween(3, ROUNDS - 1);
        assertThat(time(Baselines.named("ogt"))).isEqualTo(10.0 * gradients + ROUNDS * TAU);
    }

    @Test
    void aNodeOfDadaoTakesItsGradientsAndItsMessages() {
        Network pair = Network.of(2, new int[][] {{0, 1}});
        Problem two = Problem.deal(Rows.classification(20, 3), new Logistic(), 1e-2, 2);
        Trial.Point point = after(Baselines.named("dadao"), two, pair);
        double gradients = ROUNDS - (double) point.communications();
        assertThat(gradients).isBetween(1.0, ROUNDS - 1.0);
        assertThat(point.time()).isGreaterThanOrEqualTo(10 * gradients + TAU * (double) point.communications());
    }

    @Test
    void aStepOfProxSkipTakesAGradientAndSometimesARound() {
        Trial.Point point = after(Baselines.named("proxskip"), problem, network);
        assertThat(point.communications()).isBetween(1L, point.steps() - 1);
        assertThat(point.time()).isEqualTo(10.0 * point.steps() + TAU * (double) point.communications());
    }

    @Test
    void anEdgeOfEsdacdTakesAnInnerSolveAndAMessage() {
        Network pair = Network.of(2, new int[][] {{0, 1}});
        Problem two = Problem.deal(Rows.classification(20, 3), new Logistic(), 1e-2, 2);
        assertThat(after(Baselines.named("esdacd"), two, pair).time()).isEqualTo(ROUNDS * (10 + TAU));
    }

    @Test
    void pointSagaCountsOnlyItsSteps() {
        Trial.Point point = after(Baselines.named("point-saga"), problem, network);
        assertThat(point.steps()).isEqualTo(ROUNDS * 6);
        assertThat(point.time()).isEqualTo(ROUNDS * 6.0);
    }

    @Test
    void aStepOfAcceleratedVarianceReductionTakesABatchGossipAndAPassWhenTheSnapshotMoves() {
        for (AccVr.Consensus consensus : AccVr.Consensus.values()) {
            AccVr.Parameters parameters =
                    AccVr.parameters(consensus, Gossip.of(network), BaselineFacts.of("test", problem, network), 1);
            UniformRandomProvider coin = Streams.shared(Trial.SEED);
            int passes = 1;
            for (int step = 1; step < ROUNDS / 2; step++) {
                passes += (coin.nextLong() >>> 11) * 0x1p-53 < parameters.renewal() ? 1 : 0;
            }
            assertThat(passes).isGreaterThan(1);
            assertThat(time(Baselines.named("acc-vr-" + consensus.name().toLowerCase(Locale.ROOT))))
                    .isEqualTo(ROUNDS / 2 * parameters.batch() + 10.0 * passes + ROUNDS * TAU);
        }
    }

    @Test
    void dvrCountsSampleGradientsAndRounds() {
        Trial.Point point = after(Baselines.named("dvr"), problem, network);
        double computations = (double) (point.steps() - point.communications());
        assertThat(point.time()).isEqualTo(10 + computations + TAU * (double) point.communications());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dvr-chebyshev", "dvr-catalyst"})
    void aCommunicationOfDvrWithChebyshevGossipTakesItsRounds(String name) {
        Trial.Point point = after(Baselines.named(name), problem, network);
        long computations = point.steps() - point.communications() / 2;
        assertThat(point.time()).isEqualTo(10 + (double) computations + TAU * (double) point.communications());
    }
}
