package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.util.function.IntUnaryOperator;

/** The graphs that involve no randomness. */
final class RegularGraphs {

    /** A graph with more edges would not fit in a few hundred megabytes. */
    static final int MOST_EDGES = 16_000_000;

    private RegularGraphs() {}

    static void requireEdgesFit(String what, int nodes, double edges, String remedy) {
        if (edges > MOST_EDGES) {
            throw new InvalidInputException("a " + what + " graph of " + nodes + " nodes has some " + (long) edges
                    + " edges, more than " + MOST_EDGES + "; " + remedy);
        }
    }

    static Network complete(int nodes) {
        requireEdgesFit("complete", nodes, 0.5 * nodes * (nodes - 1.0), "use at most 5600 nodes or another topology");
        EdgeBuffer edges = new EdgeBuffer(nodes * (nodes - 1) / 2);
        for (int i = 0; i < nodes; i++) {
            for (int j = i + 1; j < nodes; j++) {
                edges.add(i, j);
            }
        }
        return numbered("complete of " + nodes, nodes, edges);
    }

    static Network ring(int nodes) {
        return numbered("ring of " + nodes, nodes, circle(nodes));
    }

    /** The edges of the ring 0, 1, …, n − 1, 0; for two nodes, a single edge. */
    static EdgeBuffer circle(int nodes) {
        EdgeBuffer edges = tree(nodes, i -> i - 1);
        if (nodes > 2) {
            edges.add(nodes - 1, 0);
        }
        return edges;
    }

    static Network line(int nodes) {
        return numbered("line of " + nodes, nodes, tree(nodes, i -> i - 1));
    }

    private static EdgeBuffer tree(int nodes, IntUnaryOperator parent) {
        EdgeBuffer edges = new EdgeBuffer(nodes);
        for (int i = 1; i < nodes; i++) {
            edges.add(parent.applyAsInt(i), i);
        }
        return edges;
    }

    static Network star(int nodes) {
        return numbered("star of " + nodes, nodes, tree(nodes, i -> 0));
    }

    static Network binaryTree(int nodes) {
        return numbered("binary-tree of " + nodes, nodes, tree(nodes, i -> (i - 1) / 2));
    }

    static Network hypercube(int nodes) {
        int below = Integer.highestOneBit(nodes);
        if (below != nodes) {
            throw new InvalidInputException(
                    "a hypercube of " + nodes + " nodes does not exist; use " + below + " or " + 2 * below + " nodes");
        }
        EdgeBuffer edges = new EdgeBuffer(nodes * Integer.numberOfTrailingZeros(nodes) / 2);
        for (int i = 0; i < nodes; i++) {
            for (int bit = 1; bit < nodes; bit <<= 1) {
                if ((i & bit) == 0) {
                    edges.add(i, i | bit);
                }
            }
        }
        return numbered("hypercube of " + nodes, nodes, edges);
    }

    /** The shorter side of the most square rectangle; a prime number of nodes above 3 is rejected. */
    static int mostSquareSide(String family, int nodes) {
        int side = (int) Math.sqrt((double) nodes);
        while (nodes % side != 0) {
            side--;
        }
        if (side == 1 && nodes > 3) {
            throw new InvalidInputException("a " + family + " of " + nodes + " nodes is not a rectangle; use "
                    + (nodes - 1) + " or " + (nodes + 1) + " nodes, or topology " + family + ":1x" + nodes + " for a "
                    + (family.equals("torus") ? "ring" : "line"));
        }
        return side;
    }

    static Network rectangle(int rows, int columns, boolean wrapped) {
        EdgeBuffer edges = new EdgeBuffer(2 * rows * columns);
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                int node = r * columns + c;
                if (c + 1 < columns) {
                    edges.add(node, node + 1);
                } else if (wrapped && columns > 2) {
                    edges.add(node, r * columns);
                }
                if (r + 1 < rows) {
                    edges.add(node, node + columns);
                } else if (wrapped && rows > 2) {
                    edges.add(node, c);
                }
            }
        }
        return numbered((wrapped ? "torus " : "grid ") + rows + "x" + columns, rows * columns, edges);
    }

    static Network numbered(String description, int nodes, EdgeBuffer edges) {
        return Network.build(description, Network.numbers(nodes), edges);
    }
}
