package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What things cost in idealised time: a proximal step 1 and a message τ, but for slow nodes and slow edges.
 *
 * @param delay τ, what a message costs
 * @param nodes what a proximal step costs at nodes where it is not 1
 * @param edges what a message costs on edges where it is not τ, in either direction
 */
public record Timing(double delay, Map<Integer, Double> nodes, Map<Edge, Double> edges) {

    /**
     * An edge by its ends.
     *
     * @param tail the smaller number
     * @param head the larger number
     */
    public record Edge(int tail, int head) implements Comparable<Edge> {

        /** The edge between two nodes. */
        public static Edge between(int one, int other) {
            return new Edge(Math.min(one, other), Math.max(one, other));
        }

        @Override
        public int compareTo(Edge other) {
            return tail == other.tail ? Integer.compare(head, other.head) : Integer.compare(tail, other.tail);
        }
    }

    /** Copies the maps and checks the numbers. */
    public Timing {
        requireCost("tau", delay);
        nodes.forEach((node, cost) -> {
            if (!(cost > 0)) {
                throw new InvalidInputException("cost " + cost + " of a step at node " + node + " must be positive");
            }
            requireCost("cost of a step at node " + node, cost);
        });
        edges.forEach((edge, cost) -> requireCost("delay of edge " + edge.tail + "-" + edge.head, cost));
        nodes = Map.copyOf(nodes);
        edges = Map.copyOf(edges);
    }

    private static void requireCost(String what, double cost) {
        if (!(cost >= 0) || Double.isInfinite(cost)) {
            throw new InvalidInputException(what + " " + cost + " must be 0 or more, and finite");
        }
    }

    /** The paper's clock: a proximal step costs 1 and a message τ, everywhere. */
    public static Timing even(double delay) {
        return new Timing(delay, Map.of(), Map.of());
    }

    /** The same but for one node, where a proximal step costs this much. */
    public Timing withNode(int node, double cost) {
        Map<Integer, Double> all = new TreeMap<>(nodes);
        all.put(node, cost);
        return new Timing(delay, all, edges);
    }

    /** The same but for one edge, on which a message costs this much. */
    public Timing withEdge(int one, int other, double cost) {
        Map<Edge, Double> all = new TreeMap<>(edges);
        all.put(Edge.between(one, other), cost);
        return new Timing(delay, nodes, all);
    }

    /** Whether nodes and edges are all alike. */
    public boolean isEven() {
        return nodes.isEmpty() && edges.isEmpty();
    }

    /** What a proximal step costs at a node. */
    public double step(int node) {
        return nodes.getOrDefault(node, 1.0);
    }

    /** What a message costs from one node to a neighbour. */
    public double message(int from, int to) {
        return edges.isEmpty() ? delay : edges.getOrDefault(Edge.between(from, to), delay);
    }

    /**
     * Refuses nodes and edges that a network does not have.
     *
     * @throws InvalidInputException naming the node or the edge
     */
    public void requireWithin(Network network) {
        for (int node : new TreeMap<>(nodes).keySet()) {
            if (node < 0 || node >= network.size()) {
                throw new InvalidInputException("node " + node + " cannot be slow: " + network.description()
                        + " has nodes 0 to " + (network.size() - 1));
            }
        }
        for (Edge edge : new TreeMap<>(edges).keySet()) {
            boolean known = edge.tail >= 0
                    && edge.head < network.size()
                    && Arrays.binarySearch(network.neighbours(edge.tail), edge.head) >= 0;
            if (!known) {
                throw new InvalidInputException("edge " + edge.tail + "-" + edge.head + " has no delay: "
                        + network.description() + " has no such edge");
            }
        }
    }
}
