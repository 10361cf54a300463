package dev.starling.lab.conversation;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What rounds take, and how often nodes that are not alike compute and talk. */
class EdgeSamplingTest {

    private static final Network LINE = Topology.named("line").build(3, 1);
    private static final Timing SLOW_EDGE = Timing.even(1).withEdge(0, 1, 10);

    private static Conditioning facts(double rootSum) {
        return new Conditioning(100, 100, 2, rootSum, 1.25, 500, 30);
    }

    private static List<Conditioning> alike(int nodes) {
        return IntStream.range(0, nodes).mapToObj(i -> facts(150)).toList();
    }

    private static double delay(EdgeSampling sampling, Timing timing) {
        return sampling.tuned(LINE, alike(3), timing).tuning().delay();
    }

    @Test
    void aRoundTakesAsLongAsTheSlowestOfItsEdges() {
        assertThat(delay(EdgeSampling.all(LINE), SLOW_EDGE)).isEqualTo(10);
        assertThat(delay(EdgeSampling.independent(0.5), SLOW_EDGE)).isEqualTo(10);
        assertThat(delay(EdgeSampling.pairs(LINE), SLOW_EDGE))
                .as("both edges are drawn equally often")
                .isCloseTo(5.5, within(1e-12));
        assertThat(delay(EdgeSampling.pairs(LINE), Timing.even(3))).isEqualTo(3);
    }

    @Test
    void aSlowNodeWithLittleToDoComputesInFewerStepsThanTheOthers() {
        // It must compute in half of the steps at least, which takes 2 where it takes others 1.
        List<Conditioning> facts = List.of(facts(75), facts(150), facts(150));
        PartialTuning tuned =
                EdgeSampling.all(LINE).tuned(LINE, facts, Timing.even(1).withNode(0, 4));

        assertThat(tuned.shares()).containsExactly(0.5, 1.0, 1.0);
        Tuning tuning = tuned.tuning();
        assertThat(tuned.timePerFactor())
                .isCloseTo(2 * tuning.computationConstant() + tuning.communicationConstant(), within(1e-9));
        assertThat(tuned.samples()).isEqualTo(300);
        assertThat(tuned.sigmas()).containsExactly(2.0, 2.0, 2.0);
    }

    @Test
    void aLongerDelayMovesTheBalanceTowardsFewerRounds() {
        List<Conditioning> facts = alike(3);
        EdgeSampling all = EdgeSampling.all(LINE);
        PartialTuning near = all.tuned(LINE, facts, Timing.even(1));
        PartialTuning far = all.tuned(LINE, facts, Timing.even(100));
        PartialTuning slow = all.tuned(LINE, facts, new Timing(100, Map.of(0, 100.0, 1, 100.0, 2, 100.0), Map.of()));

        assertThat(far.tuning().balance()).isLessThan(near.tuning().balance());
        assertThat(slow.tuning().balance())
                .as("where steps take as much longer, it is what it was")
                .isCloseTo(near.tuning().balance(), within(1e-9));
    }

    @Test
    void aSingleNodeTakesItsOwnTime() {
        Network alone = Network.of(1, new int[0][]);
        Timing slow = Timing.even(7).withNode(0, 3);
        PartialTuning tuned = EdgeSampling.all(alone).tune(alone, alike(1), slow);

        assertThat(tuned.timePerFactor()).isEqualTo(3 * 150);
        assertThat(tuned.shares()).containsExactly(1.0);
        LocalTuning local = LocalTuning.of(alone, alike(1), slow);
        assertThat(local.timePerFactor()).isCloseTo(3 * 150, within(1e-9));
        assertThat(local.nodeProbabilities()).containsExactly(1.0);
        assertThat(local.edgeProbabilities()).isEmpty();
        assertThat(local.stepsPerEpoch()).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "grid", "complete", "watts-strogatz", "erdos-renyi"})
    void theColouringWithTheCheapestRoundsIsTaken(String topology) {
        for (int nodes : new int[] {6, 8, 9, 12}) {
            Network network = Topology.named(topology).build(nodes, 1);
            BlockResistance blocks = new BlockResistance(network);
            double best = EdgeColouring.candidates(network).stream()
                    .map(groups -> new EdgeSampling(
                            groups, groups.stream().map(blocks::of).toList(), 1))
                    .mapToDouble(sampling -> communication(sampling, network))
                    .min()
                    .orElseThrow();

            assertThat(communication(EdgeSampling.matchings(network), network)).isEqualTo(best);
        }
    }

    /** C_comm² σ_A, which does not depend on the balance. */
    private static double communication(EdgeSampling sampling, Network network) {
        Tuning tuning =
                sampling.tuned(network, alike(network.size()), Timing.even(1)).tuning();
        double smoothness = Math.pow(tuning.communicationConstant(), 2) * tuning.strongConvexity();
        return Math.rint(1e9 * smoothness);
    }

    @Test
    void probabilitiesOfEdgesAreMoreThanZeroAndAtMostOne() {
        assertThat(EdgeSampling.independent(1).probability()).isEqualTo(1);
        for (double wrong : new double[] {0, -0.5, 1.01, Double.NaN}) {
            assertThatRefused(() -> EdgeSampling.independent(wrong));
        }
    }

    @Test
    void localProbabilitiesFollowWorkAndResistance() {
        Network network = Network.of(4, new int[][] {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
        List<Conditioning> facts = List.of(facts(100), facts(200), facts(300), facts(400));
        LocalTuning tuned = LocalTuning.of(network, facts, 5, 0.5);

        double share = tuned.tuning().communicationProbability();
        for (int i = 0; i < 4; i++) {
            assertThat(tuned.nodeProbabilities().get(i)).isCloseTo((1 - share) * (i + 1) / 10, within(1e-12));
        }
        // Each edge of the triangle has two thirds of the resistance of the one beside it.
        double triangle = Math.sqrt(2.0 / 3) / (3 * Math.sqrt(2.0 / 3) + 1);
        for (int e = 0; e < 3; e++) {
            assertThat(tuned.edgeProbabilities().get(e)).isCloseTo(share * triangle, within(1e-9));
        }
        assertThat(tuned.edgeProbabilities().get(3)).isCloseTo(share * (1 - 3 * triangle), within(1e-9));
        assertThat(tuned.stepsPerEpoch()).isEqualTo((long) Math.ceil(400 / (1 - share)));
    }

    /**
     * With one edge, either the busier of two nodes never waits, or both wait for each other's messages in turn: of two
     * exchanges one then takes what one node computes and a message, the other what the other does and a message.
     */
    @ParameterizedTest
    @ValueSource(doubles = {5, 100})
    void twoLocalNodesWaitForEachOther(double delay) {
        Network pair = Network.of(2, new int[][] {{0, 1}});
        LocalTuning tuned = LocalTuning.of(pair, List.of(facts(100), facts(300)), delay, 0.5);

        double share = tuned.tuning().communicationProbability();
        double perStep = Math.max(0.75 * (1 - share), 0.5 * (1 - share) + share * delay);
        assertThat(tuned.timePerStep()).isCloseTo(perStep, within(1e-9));
        assertThat(tuned.timePerFactor()).isCloseTo(perStep / tuned.tuning().rate(), within(1e-6));
    }

    @Test
    void theLocalBalanceIsHardlySlowerThanAnyOther() {
        Network ring = Topology.named("ring").build(5, 1);
        double tuned = LocalTuning.of(ring, alike(5), Timing.even(20)).timePerFactor();
        for (double balance = 0.1; balance < 0.99; balance += 0.05) {
            assertThat(tuned)
                    .isLessThan(
                            1.05 * LocalTuning.of(ring, alike(5), 20, balance).timePerFactor());
        }
    }

    @Test
    void theLocalRateIsThatOfBothConstants() {
        Network pair = Network.of(2, new int[][] {{0, 1}});
        for (double smallestRoot : new double[] {1.25, 10}) {
            Conditioning facts = new Conditioning(100, 100, 2, 150, smallestRoot, 500, 30);
            Tuning tuning = LocalTuning.of(pair, List.of(facts, facts), 5, 0.5).tuning();

            // S/√c or S/(c r), whichever is more, of both nodes together; λ_max = 2 of L, D = 2 + 30/(1 − c).
            double computation = Math.max(300 / Math.sqrt(0.5), 300 / (0.5 * smallestRoot));
            double communication = Math.sqrt((0.5 + 0.5) / (2 / 62.0));
            assertThat(tuning.computationConstant()).isCloseTo(computation, within(1e-9));
            assertThat(tuning.communicationConstant()).isCloseTo(communication, within(1e-9));
            assertThat(tuning.rate()).isCloseTo(1 / (computation + communication), within(1e-12));
            assertThat(tuning.stepSize()).isCloseTo(31 * tuning.rate(), within(1e-12));
        }
    }

    @Test
    void stepsAreDrawnByTheProbabilitiesOfNodesAndEdges() {
        Network triangle = Network.of(3, new int[][] {{0, 1}, {1, 2}, {2, 0}});
        LocalTuning tuned = LocalTuning.of(triangle, List.of(facts(1), facts(2), facts(3)), 5, 0.5);
        int draws = 100_000;
        int[] drawn = new int[draws];
        tuned.choosing().draw(RandomSource.XO_SHI_RO_256_PP.create(7), drawn, draws);
        int[] counts = new int[6];
        for (int k : drawn) {
            counts[k]++;
        }
        for (int k = 0; k < 6; k++) {
            double probability = k < 3
                    ? tuned.nodeProbabilities().get(k)
                    : tuned.edgeProbabilities().get(k - 3);
            assertThat((double) counts[k] / draws).isCloseTo(probability, within(5 * Math.sqrt(probability / draws)));
        }
    }

    /** At most six of the twelve edges of a ring have no node in common. */
    @Test
    void disjointEdgesCommunicateAtTheSameTime() {
        Network ring = Topology.named("ring").build(12, 1);
        double delay = 1e5;
        LocalTuning tuned = LocalTuning.of(ring, alike(12), delay, 0.5);

        assertThat(tuned.timePerStep() / tuned.tuning().communicationProbability())
                .isBetween(delay / 6, delay / 2);
    }
}
