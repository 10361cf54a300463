package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What things cost in idealised time: a proximal step (a step on one row) takes 1 and a message takes τ, except at slow
 * nodes and on slow edges.
 *
 * @param delay τ, the time of a message
 * @param nodes the time of a proximal step at nodes where it is not 1
 * @param edges the time of a message on edges where it is not τ, in either direction
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

    /** The paper's model: a proximal step takes 1 and a message τ, everywhere. */
    public static Timing even(double delay) {
        return new Timing(delay, Map.of(), Map.of());
    }

    /** The same timing, except that a proximal step at one node takes this long. */
    public Timing withNode(int node, double cost) {
        Map<Integer, Double> all = new TreeMap<>(nodes);
        all.put(node, cost);
        return new Timing(delay, all, edges);
    }

    /** The same timing, except that a message on one edge takes this long. */
    public Timing withEdge(int one, int other, double cost) {
        Map<Edge, Double> all = new TreeMap<>(edges);
        all.put(Edge.between(one, other), cost);
        return new Timing(delay, nodes, all);
    }

    /** Whether nodes and edges are all alike. */
    public boolean isEven() {
        return nodes.isEmpty() && edges.isEmpty();
    }

    /** The time of a proximal step at a node. */
    public double step(int node) {
        return nodes.getOrDefault(node, 1.0);
    }

    /** The time of a message from one node to a neighbour. */
    public double message(int from, int to) {
        return edges.isEmpty() ? delay : edges.getOrDefault(Edge.between(from, to), delay);
    }

    /**
     * Rejects nodes and edges that a network does not have.
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
