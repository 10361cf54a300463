package dev.starling.network;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GraphRecipeTest {

    static Stream<String> topologies() {
        return Stream.concat(
                Topology.names().stream(),
                Stream.of("grid:4x4", "random-regular:3", "erdos-renyi:0.3", "watts-strogatz:4:0.5"));
    }

    private static void assertSame(Network built, Network expected) {
        assertThat(built.toDot()).isEqualTo(expected.toDot());
        assertThat(built.recipe()).isEqualTo(expected.recipe());
        for (int node = 0; node < expected.size(); node++) {
            assertThat(built.neighbours(node)).containsExactly(expected.neighbours(node));
            assertThat(built.edgeWeights(node)).containsExactly(expected.edgeWeights(node));
        }
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void aTopologyIsBuiltAgainFromItsNameAndSeed(String name) {
        Network network = Topology.named(name).build(16, 42);
        assertThat(network.recipe().edges()).isEmpty();
        assertSame(network.recipe().build(), network);
    }

    @Test
    void anotherSeedGivesAnotherRandomGraph() {
        GraphRecipe recipe = Topology.named("erdos-renyi:0.3").build(16, 42).recipe();
        GraphRecipe other =
                new GraphRecipe(recipe.description(), recipe.nodes(), recipe.topology(), 43, List.of(), List.of());
        assertThat(other.build().toDot()).isNotEqualTo(recipe.build().toDot());
    }

    @Test
    void aGraphFromAFileIsBuiltAgainFromItsEdges() throws IOException {
        Network network = EdgeListReader.read(new StringReader("c b\nb a 2.5\na c 0.125\nd a"), "sites");
        assertThat(network.recipe().names()).containsExactly("c", "b", "a", "d");
        assertSame(network.recipe().build(), network);
    }

    @Test
    void edgesMayComeInAnyOrderAndDirection() {
        Network network = Network.of(3, new int[][] {{0, 1}, {1, 2}}).withWeights(new double[] {2, 3});
        GraphRecipe turned = new GraphRecipe(
                network.description(),
                3,
                "",
                0,
                List.of(),
                List.of(new GraphRecipe.Edge(2, 1, 3), new GraphRecipe.Edge(1, 0, 2)));
        assertSame(turned.build(), network);
    }

    @Test
    void aTopologyWithWeightsIsKeptByItsEdges() {
        Network network = Topology.named("line").build(3, 0).withWeights(new double[] {2, 3});
        assertThat(network.recipe().topology()).isEmpty();
        assertSame(network.recipe().build(), network);
    }

    @Test
    void oneNodeNeedsNoEdges() {
        Network one = Network.of(1, new int[0][]);
        assertSame(one.recipe().build(), one);
    }

    @Test
    void graphsThatCannotBeBuiltAreRefusedWithAReason() {
        assertThatRefused(() -> new GraphRecipe("ring of 4", 4, "", 0, List.of(), List.of()).build())
                .hasMessage("the graph 'ring of 4' of 4 nodes cannot be built again:"
                        + " neither its topology nor its edges are known");
        List<GraphRecipe.Edge> far = List.of(new GraphRecipe.Edge(0, 5, 1));
        assertThatThrownBy(() -> new GraphRecipe("g", 2, "", 0, List.of(), far).build())
                .hasMessage("edge 0 5: node 5 must be between 0 and 1");
        List<GraphRecipe.Edge> light = List.of(new GraphRecipe.Edge(0, 1, 0));
        assertThatThrownBy(() -> new GraphRecipe("g", 2, "", 0, List.of(), light).build())
                .hasMessage("edge 0 1: weight 0.0 must be positive and finite");
        List<GraphRecipe.Edge> good = List.of(new GraphRecipe.Edge(0, 1, 1));
        assertThatThrownBy(() -> new GraphRecipe("g", 2, "", 0, List.of("a"), good).build())
                .hasMessage("1 names for 2 nodes; there must be one for each, or none");
    }
}
