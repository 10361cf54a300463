package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.util.Comparator;
import java.util.List;

/**
 * How to build a network again, bit for bit: the topology it is one of, or its edges.
 *
 * <pre>{@code
 * GraphRecipe recipe = Topology.named("erdos-renyi:0.2").build(20, 7).recipe();
 * Network same = recipe.build();
 * }</pre>
 *
 * @param description what the graph is, in words
 * @param nodes how many nodes it has
 * @param topology its topology, as {@link Topology#named} takes it; empty if its edges say what it is
 * @param seed the seed of a random topology
 * @param names what the nodes are called, if not by their numbers; otherwise empty
 * @param edges the edges, unless there is a topology
 */
public record GraphRecipe(
        String description, int nodes, String topology, long seed, List<String> names, List<Edge> edges) {

    /** A graph of which nothing is known, as that of a model from another program's file. */
    public static final GraphRecipe UNKNOWN = new GraphRecipe("", 0, "", 0, List.of(), List.of());

    /**
     * An edge between two nodes.
     *
     * @param weight μ², 1 unless the graph says otherwise
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

    /** Whether it says enough to build the network. */
    public boolean isComplete() {
        return !topology.isEmpty() || !edges.isEmpty() || nodes == 1;
    }

    /**
     * Builds the network.
     *
     * @throws InvalidInputException if the recipe is not complete, or what it says makes no sense
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
        String[] called = names.isEmpty() ? Network.numbers(nodes) : names.toArray(new String[0]);
        return Network.of(description, called, pairs)
                .withWeights(sorted.stream().mapToDouble(Edge::weight).toArray());
    }
}
