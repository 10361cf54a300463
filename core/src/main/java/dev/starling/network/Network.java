package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The communication graph: which nodes are neighbours and exchange messages. Immutable, simple, undirected and
 * connected; nodes are numbered from 0.
 *
 * <p>Edges are numbered by ascending (tail, head) with tail &lt; head and carry a positive weight μ², 1 unless given.
 * An edge given twice, in either direction, is one edge; an edge from a node to itself is rejected. A single node
 * without edges is a network.
 *
 * <pre>{@code
 * Network triangle = Network.of(3, new int[][] {{0, 1}, {1, 2}, {2, 0}});
 * int[] around = triangle.neighbours(1); // 0, 2
 * }</pre>
 */
public final class Network {

    private static final int EXACT_DIAMETER_NODES = 5_000;

    private final String description;
    private final String[] names;
    private final int[] tails;
    private final int[] heads;
    private final double[] weights;
    private final int[][] neighbours;
    private final double[][] neighbourWeights;
    private final Optional<GraphRecipe> topology;
    private final KnownSpectra knownSpectra = new KnownSpectra();

    private Network(
            String description,
            String[] names,
            int[] tails,
            int[] heads,
            double[] weights,
            int[][] around,
            Optional<GraphRecipe> topology) {
        this.description = description;
        this.names = names;
        this.tails = tails;
        this.heads = heads;
        this.weights = weights;
        this.neighbours = around;
        this.neighbourWeights = spread(tails, heads, weights, around);
        this.topology = topology;
    }

    /**
     * The graph with the given edges.
     *
     * @param nodes number of nodes
     * @param edges pairs of node numbers, in any order and direction
     * @throws InvalidInputException if an edge leaves the graph or ends where it starts, or the graph is not connected
     */
    public static Network of(int nodes, int[][] edges) {
        if (nodes < 1) {
            throw new InvalidInputException("a network of " + nodes + " nodes does not exist; use 1 or more");
        }
        return of("graph of " + nodes + " nodes", numbers(nodes), edges);
    }

    static Network of(String description, String[] names, int[][] edges) {
        int nodes = names.length;
        EdgeBuffer buffer = new EdgeBuffer(edges.length);
        for (int[] edge : edges) {
            if (edge.length != 2) {
                throw new InvalidInputException("edge " + Arrays.toString(edge) + " must be a pair of nodes");
            }
            for (int node : edge) {
                if (node < 0 || node >= nodes) {
                    throw new InvalidInputException("edge " + edge[0] + " " + edge[1] + ": node " + node
                            + " must be between 0 and " + (nodes - 1));
                }
            }
            if (edge[0] == edge[1]) {
                throw new InvalidInputException(
                        "edge " + edge[0] + " " + edge[1] + " joins a node to itself; it must join two nodes");
            }
            buffer.add(edge[0], edge[1]);
        }
        return build(description, names, buffer);
    }

    /** The graph with the edges of a buffer, all of weight 1. */
    static Network build(String description, String[] names, EdgeBuffer buffer) {
        buffer.sortAndMerge();
        int[] tails = buffer.tails();
        int[] heads = buffer.heads();
        int[][] around = adjacency(names.length, tails, heads);
        int lost = Traversal.firstUnreachable(around);
        if (lost >= 0) {
            throw new InvalidInputException(description + " is not connected: node '" + names[lost]
                    + "' cannot be reached from '" + names[0] + "'");
        }
        double[] ones = new double[tails.length];
        Arrays.fill(ones, 1.0);
        return new Network(description, names, tails, heads, ones, around, Optional.empty());
    }

    /** The same network, which remembers the topology it was built from. */
    Network builtBy(Topology family, long seed) {
        GraphRecipe recipe = GraphRecipe.of(family, this, seed);
        return new Network(description, names, tails, heads, weights, neighbours, Optional.of(recipe));
    }

    static String[] numbers(int nodes) {
        String[] names = new String[nodes];
        for (int i = 0; i < nodes; i++) {
            names[i] = Integer.toString(i);
        }
        return names;
    }

    /** Neighbours of every node; they come out ascending because the edges are sorted. */
    static int[][] adjacency(int nodes, int[] tails, int[] heads) {
        int[] degrees = new int[nodes];
        for (int e = 0; e < tails.length; e++) {
            degrees[tails[e]]++;
            degrees[heads[e]]++;
        }
        int[][] around = new int[nodes][];
        for (int i = 0; i < nodes; i++) {
            around[i] = new int[degrees[i]];
        }
        Arrays.fill(degrees, 0);
        for (int e = 0; e < tails.length; e++) {
            around[tails[e]][degrees[tails[e]]++] = heads[e];
            around[heads[e]][degrees[heads[e]]++] = tails[e];
        }
        return around;
    }

    private static double[][] spread(int[] tails, int[] heads, double[] weights, int[][] around) {
        double[][] spread = new double[around.length][];
        for (int i = 0; i < around.length; i++) {
            spread[i] = new double[around[i].length];
        }
        int[] filled = new int[around.length];
        for (int e = 0; e < tails.length; e++) {
            spread[tails[e]][filled[tails[e]]++] = weights[e];
            spread[heads[e]][filled[heads[e]]++] = weights[e];
        }
        return spread;
    }

    /** Number of nodes, n. */
    public int size() {
        return neighbours.length;
    }

    /** Number of edges, E. */
    public int edges() {
        return tails.length;
    }

    /** The neighbours of a node, ascending. Not a copy: do not write to it. */
    public int[] neighbours(int node) {
        return neighbours[node];
    }

    /** The weights μ² of the edges to the {@link #neighbours}, in their order. Not a copy: do not write to it. */
    public double[] edgeWeights(int node) {
        return neighbourWeights[node];
    }

    /** The end of an edge with the smaller number. */
    public int tail(int edge) {
        return tails[edge];
    }

    /** The end of an edge with the larger number. */
    public int head(int edge) {
        return heads[edge];
    }

    /** The weight μ² of an edge. */
    public double weight(int edge) {
        return weights[edge];
    }

    /** Number of neighbours of a node. */
    public int degree(int node) {
        return neighbours[node].length;
    }

    /** The name of a node: its number unless the graph came with names. */
    public String name(int node) {
        return names[node];
    }

    /** A short description of the graph, such as {@code grid 3x3} or {@code ring of 9}. */
    public String description() {
        return description;
    }

    /** The same graph with a weight μ² per edge, in the order of the edges; each positive and finite. */
    public Network withWeights(double[] perEdge) {
        if (perEdge.length != edges()) {
            throw new InvalidInputException(
                    perEdge.length + " weights for " + edges() + " edges; there must be one per edge");
        }
        for (int e = 0; e < perEdge.length; e++) {
            if (!(perEdge[e] > 0) || Double.isInfinite(perEdge[e])) {
                throw new InvalidInputException("edge " + name(tail(e)) + " " + name(head(e)) + ": weight " + perEdge[e]
                        + " must be positive and finite");
            }
        }
        return new Network(description, names, tails, heads, perEdge.clone(), neighbours, Optional.empty());
    }

    /** How to rebuild this network: from its topology if it was built from one, otherwise from its edges. */
    public GraphRecipe recipe() {
        return topology.orElseGet(() -> {
            boolean numbered = Arrays.equals(names, numbers(size()));
            List<GraphRecipe.Edge> all = IntStream.range(0, edges())
                    .mapToObj(e -> new GraphRecipe.Edge(tails[e], heads[e], weights[e]))
                    .toList();
            return new GraphRecipe(description, size(), "", 0, numbered ? List.of() : List.of(names), all);
        });
    }

    /** The breadth-first tree from node 0, the same wherever it is computed. */
    public SpanningTree spanningTree() {
        return SpanningTree.of(neighbours);
    }

    /** The number of hops from a node to each. */
    public int[] hops(int from) {
        return Traversal.distances(neighbours, from);
    }

    /**
     * The largest number of hops between two nodes. Exact up to 5,000 nodes and for trees of any size; for other graphs
     * it is a lower bound, the longest distance found by walking four times to a farthest node.
     */
    public int diameter() {
        return size() <= EXACT_DIAMETER_NODES ? Traversal.diameter(neighbours) : Traversal.sweep(neighbours);
    }

    /** The graph in Graphviz's language, edges labelled with their weights unless all are 1. */
    public String toDot() {
        StringBuilder dot =
                new StringBuilder("graph ").append(quoted(description)).append(" {\n");
        for (int i = 0; i < size(); i++) {
            dot.append("  ").append(quoted(names[i])).append(";\n");
        }
        boolean weighted = Arrays.stream(weights).anyMatch(weight -> weight != 1.0);
        for (int e = 0; e < edges(); e++) {
            dot.append("  ").append(quoted(names[tails[e]])).append(" -- ").append(quoted(names[heads[e]]));
            if (weighted) {
                dot.append(" [label=")
                        .append(quoted(Double.toString(weights[e])))
                        .append(']');
            }
            dot.append(";\n");
        }
        return dot.append("}\n").toString();
    }

    private static String quoted(String word) {
        return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    @Override
    public String toString() {
        return description;
    }

    KnownSpectra knownSpectra() {
        return knownSpectra;
    }
}
