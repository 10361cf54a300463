package dev.starling.network;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.jgrapht.Graph;
import org.jgrapht.alg.shortestpath.GraphMeasurer;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {

    static Graph<Integer, DefaultEdge> toJGraphT(Network network) {
        Graph<Integer, DefaultEdge> graph = new SimpleGraph<>(DefaultEdge.class);
        for (int i = 0; i < network.size(); i++) {
            graph.addVertex(i);
        }
        for (int e = 0; e < network.edges(); e++) {
            graph.addEdge(network.tail(e), network.head(e));
        }
        return graph;
    }

    @Test
    void numbersEdgesByTailThenHeadAndMergesRepeatedOnes() {
        Network network = Network.of(4, new int[][] {{3, 2}, {0, 3}, {1, 0}, {2, 3}, {0, 1}});
        assertThat(network.edges()).isEqualTo(3);
        assertThat(new int[] {network.tail(0), network.tail(1), network.tail(2)})
                .containsExactly(0, 0, 2);
        assertThat(new int[] {network.head(0), network.head(1), network.head(2)})
                .containsExactly(1, 3, 3);
        assertThat(network.neighbours(3)).containsExactly(0, 2);
        assertThat(network.degree(0)).isEqualTo(2);
        assertThat(network.name(2)).isEqualTo("2");
    }

    @Test
    void alignsWeightsWithNeighbours() {
        Network network = Network.of(4, new int[][] {{0, 1}, {0, 3}, {2, 3}}).withWeights(new double[] {1.5, 2.5, 3.5});
        assertThat(network.edgeWeights(0)).containsExactly(1.5, 2.5);
        assertThat(network.edgeWeights(3)).containsExactly(2.5, 3.5);
        assertThat(network.weight(2)).isEqualTo(3.5);
    }

    @Test
    void acceptsASingleNode() {
        Network network = Network.of(1, new int[0][]);
        assertThat(network.size()).isEqualTo(1);
        assertThat(network.neighbours(0)).isEmpty();
        assertThat(network.diameter()).isZero();
        assertThat(network.spanningTree().parent(0)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "4, 0 1, 2 3, graph of 4 nodes is not connected: node '2' cannot be reached from '0'",
        "2, 0 1, 1 1, edge 1 1 joins a node to itself; it must join two nodes",
        "2, 0 1, 0 2, edge 0 2: node 2 must be between 0 and 1"
    })
    void refusesEdgesThatMakeNoConnectedGraph(int nodes, String first, String second, String why) {
        int[][] edges = Stream.of(first, second)
                .map(edge -> Arrays.stream(edge.split(" "))
                        .mapToInt(Integer::parseInt)
                        .toArray())
                .toArray(int[][]::new);
        assertThatRefused(() -> Network.of(nodes, edges)).hasMessage(why);
    }

    @Test
    void refusesAWeightThatIsNotPositive() {
        assertThatRefused(() -> Network.of(2, new int[][] {{0, 1}}).withWeights(new double[] {0}))
                .hasMessage("edge 0 1: weight 0.0 must be positive and finite");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "grid", "star", "complete", "watts-strogatz", "binary-tree", "erdos-renyi"})
    void hasTheDiameterThatJGraphTFinds(String topology) {
        Network network = Topology.named(topology).build(36, 5);
        double expected = new GraphMeasurer<>(toJGraphT(network)).getDiameter();
        assertThat((double) network.diameter()).isEqualTo(expected);
    }

    @Test
    void findsTheDiameterOfALargeTreeExactly() {
        assertThat(Topology.named("line").build(20_000, 0).diameter()).isEqualTo(19_999);
        assertThat(Topology.named("grid:100x200").build(20_000, 0).diameter()).isEqualTo(298);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "grid", "random-regular", "watts-strogatz", "complete", "line"})
    void theSpanningTreeHasShortestPaths(String topology) {
        Network network = Topology.named(topology).build(64, 2);
        SpanningTree tree = network.spanningTree();
        int[] distance = new int[64];
        int edges = 0;
        int deepest = 0;
        for (int i = 0; i < 64; i++) {
            int hops = 0;
            for (int at = i; tree.parent(at) >= 0; at = tree.parent(at)) {
                assertThat(network.neighbours(at)).contains(tree.parent(at));
                hops++;
            }
            distance[i] = hops;
            deepest = Math.max(deepest, hops);
            assertThat(tree.children(i)).isSorted();
            for (int child : tree.children(i)) {
                assertThat(tree.parent(child)).isEqualTo(i);
                edges++;
            }
        }
        assertThat(edges).isEqualTo(63);
        assertThat(tree.depth()).isEqualTo(deepest);
        for (int e = 0; e < network.edges(); e++) {
            assertThat(Math.abs(distance[network.tail(e)] - distance[network.head(e)]))
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void writesGraphviz() {
        Network network = Network.of(3, new int[][] {{0, 1}, {1, 2}});
        assertThat(network.toDot()).isEqualTo("""
                        graph "graph of 3 nodes" {
                          "0";
                          "1";
                          "2";
                          "0" -- "1";
                          "1" -- "2";
                        }
                        """);
        assertThat(network.withWeights(new double[] {1, 2}).toDot()).contains("\"1\" -- \"2\" [label=\"2.0\"];");
    }
}
