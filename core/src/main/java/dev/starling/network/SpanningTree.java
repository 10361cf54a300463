package dev.starling.network;

import java.util.Arrays;

/**
 * The breadth-first tree of a network from node 0, along which sums are collected and results sent back.
 *
 * <p>Nodes are visited in the order they are found, neighbours in ascending order, so every node computes the same
 * tree.
 */
public final class SpanningTree {

    private final int[] parents;
    private final int[][] children;
    private final int depth;

    private SpanningTree(int[] parents, int[][] children, int depth) {
        this.parents = parents;
        this.children = children;
        this.depth = depth;
    }

    static SpanningTree of(int[][] around) {
        int nodes = around.length;
        int[] parents = new int[nodes];
        Arrays.fill(parents, -2);
        parents[0] = -1;
        int[] levels = new int[nodes];
        int[] queue = new int[nodes];
        int[][] children = new int[nodes][];
        int reached = 1;
        for (int at = 0; at < reached; at++) {
            int node = queue[at];
            int firstChild = reached;
            for (int next : around[node]) {
                if (parents[next] == -2) {
                    parents[next] = node;
                    levels[next] = levels[node] + 1;
                    queue[reached++] = next;
                }
            }
            children[node] = Arrays.copyOfRange(queue, firstChild, reached);
        }
        return new SpanningTree(parents, children, levels[queue[nodes - 1]]);
    }

    /** The node one hop nearer to the root; −1 at the root, node 0. */
    public int parent(int node) {
        return parents[node];
    }

    /** The nodes whose parent this is, ascending. Not a copy: do not write to it. */
    public int[] children(int node) {
        return children[node];
    }

    /** The number of hops from the root to the farthest node. */
    public int depth() {
        return depth;
    }
}
