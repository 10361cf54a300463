package dev.starling.lab.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Matchings of a network, and the eigenvalues of their blocks. */
class EdgeColouringTest {

    private static Network network(String topology, int nodes) {
        Network network = Topology.named(topology).build(nodes, 3);
        double[] weights = IntStream.range(0, network.edges())
                .mapToDouble(e -> 1 + (e * 37) % 5)
                .toArray();
        return network.withWeights(weights);
    }

    @ParameterizedTest
    @ValueSource(strings = {"line", "ring", "star", "grid", "torus", "complete", "hypercube", "erdos-renyi"})
    void matchingsPartitionTheEdges(String topology) {
        Network network = network(topology, 16);
        for (List<List<Integer>> matchings : EdgeColouring.candidates(network)) {
            assertThat(matchings.stream().flatMap(List::stream))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, network.edges()).boxed().toList());
            for (List<Integer> matching : matchings) {
                assertThat(matching.stream().flatMap(e -> Stream.of(network.tail(e), network.head(e))))
                        .doesNotHaveDuplicates();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"grid", "torus", "complete", "hypercube", "ring", "line", "watts-strogatz"})
    void theEigenvaluesOfBlocksAreThoseOfTheMatrix(String topology) {
        Network network = network(topology, 16);
        DMatrixRMaj projection = projection(network);
        BlockResistance blocks = new BlockResistance(network);
        for (List<List<Integer>> matchings : EdgeColouring.candidates(network)) {
            for (List<Integer> matching : matchings) {
                assertThat(blocks.of(matching)).isCloseTo(largest(projection, matching), within(1e-9));
            }
        }
    }

    @Test
    void staggeredEdgesOfAGridDoNotCutIt() {
        Network grid = Topology.named("grid:10x10").build(100, 1);
        BlockResistance blocks = new BlockResistance(grid);
        List<List<List<Integer>>> candidates = EdgeColouring.candidates(grid);

        assertThat(candidates.get(0).stream().mapToDouble(blocks::of).max().orElseThrow())
                .isCloseTo(1, within(1e-9));
        assertThat(candidates.get(1))
                .hasSize(4)
                .allSatisfy(matching -> assertThat(blocks.of(matching)).isBetween(0.7, 0.82));
    }

    @Test
    void aCompleteGraphOfAnOddNumberOfNodesHasAsManyMatchingsAsNodes() {
        Network complete = Topology.named("complete").build(9, 1);

        assertThat(EdgeColouring.candidates(complete))
                .anySatisfy(matchings -> assertThat(matchings).hasSize(9));
    }

    @Test
    void aBlockThatCutsTheNetworkHasResistanceOne() {
        Network grid = Topology.named("grid:2x3").build(6, 1);
        List<Integer> column = IntStream.range(0, grid.edges())
                .filter(e -> grid.tail(e) % 3 == 0 && grid.head(e) % 3 == 1)
                .boxed()
                .toList();
        assertThat(column).hasSize(2);
        assertThat(new BlockResistance(grid).of(column)).isCloseTo(1, within(1e-12));
    }

    private static DMatrixRMaj projection(Network network) {
        DMatrixRMaj incidence = new DMatrixRMaj(network.size(), network.edges());
        for (int e = 0; e < network.edges(); e++) {
            incidence.set(network.tail(e), e, Math.sqrt(network.weight(e)));
            incidence.set(network.head(e), e, -Math.sqrt(network.weight(e)));
        }
        DMatrixRMaj inverse = new DMatrixRMaj(network.edges(), network.size());
        CommonOps_DDRM.pinv(incidence, inverse);
        DMatrixRMaj projection = new DMatrixRMaj(network.edges(), network.edges());
        CommonOps_DDRM.mult(inverse, incidence, projection);
        return projection;
    }

    private static double largest(DMatrixRMaj projection, List<Integer> block) {
        int size = block.size();
        DMatrixRMaj matrix = new DMatrixRMaj(size, size);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                double entry = projection.get(block.get(i), block.get(j));
                matrix.set(i, j, (entry + projection.get(block.get(j), block.get(i))) / 2);
            }
        }
        EigenDecomposition_F64<DMatrixRMaj> decomposition = DecompositionFactory_DDRM.eig(size, false, true);
        assertThat(decomposition.decompose(matrix)).isTrue();
        return IntStream.range(0, size)
                .mapToDouble(k -> decomposition.getEigenvalue(k).getReal())
                .max()
                .orElseThrow();
    }
}
