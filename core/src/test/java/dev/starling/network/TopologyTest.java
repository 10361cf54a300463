package dev.starling.network;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jgrapht.Graph;
import org.jgrapht.GraphTests;
import org.jgrapht.alg.isomorphism.VF2GraphIsomorphismInspector;
import org.jgrapht.generate.GraphGenerator;
import org.jgrapht.generate.GridGraphGenerator;
import org.jgrapht.generate.HyperCubeGraphGenerator;
import org.jgrapht.generate.RingGraphGenerator;
import org.jgrapht.generate.StarGraphGenerator;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;
import org.jgrapht.util.SupplierUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {

    static List<String> names() {
        return Topology.names();
    }

    private static long[] edges(Network network) {
        long[] edges = new long[network.edges()];
        for (int e = 0; e < edges.length; e++) {
            edges[e] = EdgeBuffer.key(network.tail(e), network.head(e));
        }
        return edges;
    }

    private static void assertIsomorphic(Network network, GraphGenerator<Integer, DefaultEdge, Integer> generator) {
        Graph<Integer, DefaultEdge> graph =
                new SimpleGraph<>(SupplierUtil.createIntegerSupplier(), SupplierUtil.DEFAULT_EDGE_SUPPLIER, false);
        generator.generateGraph(graph);
        assertThat(new VF2GraphIsomorphismInspector<>(graph, NetworkTest.toJGraphT(network)).isomorphismExists())
                .isTrue();
    }

    @Test
    void buildsTheGraphsThatJGraphTBuilds() {
        assertIsomorphic(Topology.named("ring").build(9, 0), new RingGraphGenerator<>(9));
        assertIsomorphic(Topology.named("star").build(9, 0), new StarGraphGenerator<>(9));
        assertIsomorphic(Topology.named("grid").build(12, 0), new GridGraphGenerator<>(3, 4));
        assertIsomorphic(Topology.named("hypercube").build(16, 0), new HyperCubeGraphGenerator<>(4));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyTopologyOfOneNodeIsThatNode(String name) {
        Network network = Topology.named(name).build(1, 0);
        assertThat(network.size()).isEqualTo(1);
        assertThat(network.edges()).isZero();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyTopologyOfTwoNodesIsOneEdge(String name) {
        assertThat(Topology.named(name).build(2, 3).edges()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyTopologyIsSimpleAndConnectedAtSmallSizes(String name) {
        for (int nodes : new int[] {2, 4, 8, 16, 64}) {
            Network network = Topology.named(name).build(nodes, 11);
            assertThat(network.size()).isEqualTo(nodes);
            Graph<Integer, DefaultEdge> graph = NetworkTest.toJGraphT(network);
            assertThat(graph.edgeSet()).hasSize(network.edges());
            assertThat(GraphTests.isConnected(graph)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"random-regular", "erdos-renyi", "watts-strogatz", "random-regular:3", "erdos-renyi:0.2"})
    void aSeedDecidesARandomGraph(String name) {
        Topology topology = Topology.named(name);
        assertThat(edges(topology.build(60, 7))).isEqualTo(edges(topology.build(60, 7)));
        assertThat(edges(topology.build(60, 7))).isNotEqualTo(edges(topology.build(60, 8)));
    }

    @ParameterizedTest
    @CsvSource({"10,3", "9,4", "9,6", "9,8", "50,2", "50,7", "51,48", "20,10", "1000,3", "6,5"})
    void aRandomRegularGraphHasTheDegreeAskedFor(int nodes, int degree) {
        Network network = Topology.named("random-regular:" + degree).build(nodes, 4);
        for (int i = 0; i < nodes; i++) {
            assertThat(network.degree(i)).isEqualTo(degree);
        }
    }

    @Test
    void anErdosRenyiGraphHasAboutTheExpectedNumberOfEdges() {
        // 0.1 of 79,800 pairs: 7,980 with a standard deviation of 85.
        assertThat(Topology.named("erdos-renyi:0.1").build(400, 1).edges()).isBetween(7_600, 8_360);
        assertThat(Topology.named("erdos-renyi:1").build(20, 1).edges()).isEqualTo(190);
    }

    @Test
    void aWattsStrogatzGraphKeepsItsEdgesAndMovesAboutTheExpectedNumber() {
        Network network = Topology.named("watts-strogatz:6:0.2").build(1000, 1);
        assertThat(network.edges()).isEqualTo(3000);
        int moved = 0;
        for (int e = 0; e < network.edges(); e++) {
            int hop = network.head(e) - network.tail(e);
            moved += Math.min(hop, 1000 - hop) > 3 ? 1 : 0;
        }
        // 0.2 of 3,000 with a standard deviation of 22.
        assertThat(moved).isBetween(500, 700);
        assertThat(edges(Topology.named("watts-strogatz:2:0").build(9, 1)))
                .isEqualTo(edges(Topology.named("ring").build(9, 0)));
    }

    @Test
    void describesWhatItBuilt() {
        assertThat(Topology.named("grid").build(9, 0).description()).isEqualTo("grid 3x3");
        assertThat(Topology.named("grid:2x6").build(12, 0).description()).isEqualTo("grid 2x6");
        assertThat(Topology.named("ring").build(9, 0).description()).isEqualTo("ring of 9");
        assertThat(Topology.named("grid:2x6").fixedNodes()).hasValue(12);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "grid|7|a grid of 7 nodes is not a rectangle; use 6 or 8 nodes, or topology grid:1x7 for a line",
                "torus|5|a torus of 5 nodes is not a rectangle; use 4 or 6 nodes, or topology torus:1x5 for a ring",
                "grid:3x4|10|topology grid:3x4 has 12 nodes, not 10; ask for 12 nodes or another topology",
                "hypercube|12|a hypercube of 12 nodes does not exist; use 8 or 16 nodes",
                "random-regular:3|9|random-regular of 9 nodes: degree 3 must be even because the number of nodes is odd; use 2 or 4",
                "random-regular:9|9|random-regular of 9 nodes: degree 9 must be between 2 and 8 for a connected graph",
                "watts-strogatz:3:0.1|9|watts-strogatz of 9 nodes: degree 3 must be even, at least 2 and less than the number of nodes",
                "ring|0|a ring graph of 0 nodes cannot be built; use 1 to 10000000 nodes, and no more than there are rows",
            })
    void refusesASizeThatDoesNotFit(String name, int nodes, String message) {
        assertThatRefused(() -> Topology.named(name).build(nodes, 0)).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "grid:3|topology 'grid:3' must be written grid:ROWSxCOLUMNS, such as grid:3x4",
                "grid:0x4|topology 'grid:0x4' must be written grid:ROWSxCOLUMNS, such as grid:3x4",
                "ring:4|topology 'ring:4' must be written ring",
                "erdos-renyi:1.5|topology 'erdos-renyi:1.5' must be written erdos-renyi:PROBABILITY, such as erdos-renyi:0.2",
                "random-regular:x|topology 'random-regular:x' must be written random-regular:DEGREE, such as random-regular:4",
            })
    void refusesInvalidParameters(String name, String message) {
        assertThatRefused(() -> Topology.named(name)).hasMessage(message);
    }

    @Test
    void offersTheNearestName() {
        assertThatRefused(() -> Topology.named("tours"))
                .hasMessageStartingWith("unknown topology 'tours'; did you mean 'torus'?");
    }

    @Test
    void saysWhenNoConnectedGraphIsFound() {
        assertThatRefused(() -> Topology.named("erdos-renyi:0.001").build(50, 0))
                .hasMessageStartingWith(
                        "none of 100 graphs drawn as erdos-renyi:0.001 of 50 nodes is connected; use a probability of 0.15");
    }
}
