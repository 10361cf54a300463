package dev.starling.lab.conversation;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EffectiveResistanceTest {

    private static Network weighted(String topology, int nodes) {
        Network network = Topology.named(topology).build(nodes, 3);
        double[] weights = new double[network.edges()];
        for (int e = 0; e < weights.length; e++) {
            weights[e] = 1 + (e * 37) % 11;
        }
        return network.withWeights(weights);
    }

    @ParameterizedTest
    @ValueSource(strings = {"line", "star", "binary-tree"})
    void isExactlyOneOnTrees(String topology) {
        assertThat(EffectiveResistance.of(weighted(topology, 50))).hasSize(49).containsOnly(1.0);
    }

    @Test
    void isOneLessTheShareOfAnEdgeOnARing() {
        assertThat(EffectiveResistance.of(Topology.named("ring").build(10, 0)))
                .containsOnly(new double[] {0.9}, within(1e-13));
    }

    @Test
    void isTwoOverTheSizeOnACompleteGraph() {
        assertThat(EffectiveResistance.of(Topology.named("complete").build(8, 0)))
                .containsOnly(new double[] {0.25}, within(1e-13));
    }

    @Test
    void weighsResistorsInSeriesAgainstTheOneBesideThem() {
        // Conductances 2, 3, 6 in a triangle: edge 0–1 has 2 beside 3·6/(3+6) = 2, hence 2/(2+2).
        Network triangle = Network.of(3, new int[][] {{0, 1}, {0, 2}, {1, 2}}).withWeights(new double[] {2, 3, 6});
        assertThat(EffectiveResistance.of(triangle)[0]).isCloseTo(0.5, within(1e-14));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "grid", "torus", "complete", "random-regular", "watts-strogatz", "erdos-renyi"})
    void addsUpToTheNodesButOneEitherWay(String topology) {
        Network network = weighted(topology, 144);
        double[] dense = EffectiveResistance.dense(network);
        double[] iterative = EffectiveResistance.iterative(network);
        assertThat(Arrays.stream(dense).sum()).isCloseTo(143, within(1e-9));
        assertThat(iterative).containsExactly(dense, within(1e-9));
    }

    @Tag("thorough")
    @Test
    void addsUpToTheNodesButOneOnALargeGraph() {
        assertThat(Arrays.stream(EffectiveResistance.of(weighted("random-regular", 1_500)))
                        .sum())
                .isCloseTo(1_499, within(1e-7));
    }

    @Test
    void isRefusedWhereItWouldTakeHours() {
        Network network = Topology.named("ring").build(20_001, 0);
        assertThatRefused(() -> EffectiveResistance.of(network))
                .hasMessage("effective resistances of ring of 20001 with 20001 nodes would take too long;"
                        + " use at most 20000 nodes, or a tree");
    }
}
