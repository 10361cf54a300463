package dev.starling.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tree that sums go along. */
class SpanningTreeTest {

    @ParameterizedTest
    @CsvSource({
        "line,1,0",
        "line,2,1",
        "line,9,4",
        "line,10,5",
        "star,12,1",
        "complete,7,1",
        "ring,10,5",
        "grid,25,4",
        "binary-tree,15,3",
        "torus,25,4"
    })
    void itsRootLiesInTheMiddle(String topology, int nodes, int depth) {
        assertThat(Topology.named(topology).build(nodes, 1).spanningTree().depth())
                .isEqualTo(depth);
    }

    @Test
    void itIsNeverDeeperThanFromNodeZeroAndSpansEveryNode() {
        for (int seed = 0; seed < 200; seed++) {
            Network network = Topology.named("erdos-renyi:0.12").build(30, seed);
            SpanningTree tree = network.spanningTree();
            assertThat(tree.depth()).isLessThanOrEqualTo(network.treeFromNodeZero().depth());
            int roots = 0;
            for (int node = 0; node < 30; node++) {
                int hops = 0;
                int at = node;
                for (; tree.parent(at) >= 0; at = tree.parent(at)) {
                    assertThat(tree.children(tree.parent(at))).contains(at);
                    assertThat(network.neighbours(at)).contains(tree.parent(at));
                    hops++;
                }
                roots += at == node ? 1 : 0;
                assertThat(hops).isLessThanOrEqualTo(tree.depth());
            }
            assertThat(roots).isOne();
        }
    }
}
