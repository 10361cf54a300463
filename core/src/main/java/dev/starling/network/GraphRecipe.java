package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.util.Comparator;
import java.util.List;

/**
 * How to rebuild a network, bit for bit: from its topology or from its edges.
 *
 * <pre>{@code
 * GraphRecipe recipe = Topology.named("erdos-renyi:0.2").build(20, 7).recipe();
 * Network same = recipe.build();
 * }</pre>
 *
 * @param description a short description of the graph
 * @param nodes number of nodes
 * @param topology its topology, as accepted by {@link Topology#named}; empty if the edges are given
 * @param seed the seed of a random topology
 * @param names the names of the nodes; empty if they are just numbers
 * @param edges the edges; empty if there is a topology
 */
public record GraphRecipe(
        String description, int nodes, String topology, long seed, List<String> names, List<Edge> edges) {

    /** An unknown graph, such as that of a model from another program's file. */
    public static final GraphRecipe UNKNOWN = new GraphRecipe("", 0, "", 0, List.of(), List.of());

    /**
     * An edge between two nodes.
     *
     * @param weight μ², 1 unless the graph has weights
     */
    public record Edge(int tail, int head, double weight) {}

    /** Copies the lists. */
    public GraphRecipe {
        names = List.copyOf(names);
        edges = List.copyOf(edges);
    }

    static GraphRecipe of(Topology topology, Network network, long seed) {
        return new GraphRecipe(network.description(), network.size(), topology.name(), seed, List.of(), List.of());
    }

    /** Whether this is enough to build the network. */
    public boolean isComplete() {
        return !topology.isEmpty() || !edges.isEmpty() || nodes == 1;
    }

    /**
     * Builds the network.
     *
     * @throws InvalidInputException if the recipe is incomplete or invalid
     */
    public Network build() {
        if (!isComplete()) {
            throw new InvalidInputException("the graph '" + description + "' of " + nodes
                    + " nodes cannot be built again: neither its topology nor its edges are known");
        }
        if (!topology.isEmpty()) {
            return Topology.named(topology).build(nodes, seed);
        }
        if (!names.isEmpty() && names.size() != nodes) {
            throw new InvalidInputException(
                    names.size() + " names for " + nodes + " nodes; there must be one for each, or none");
        }
        List<Edge> sorted = edges.stream()
                .sorted(Comparator.comparingLong(edge -> EdgeBuffer.key(edge.tail, edge.head)))
                .toList();
        int[][] pairs =
                sorted.stream().map(edge -> new int[] {edge.tail, edge.head}).toArray(int[][]::new);
        String[] nodeNames = names.isEmpty() ? Network.numbers(nodes) : names.toArray(new String[0]);
        return Network.of(description, nodeNames, pairs)
                .withWeights(sorted.stream().mapToDouble(Edge::weight).toArray());
    }
}
