package dev.starling.network;

import java.util.Arrays;

/**
 * A breadth-first tree of a network, along which sums are collected and results sent back. A sum takes two messages for
 * every level of it, one after another, so its root lies in the middle: it is the node whose farthest landmark is nearest, if
 * that makes the tree shallower than node 0 would. Every landmark is a node that is farthest from those before it.
 *
 * <p>Nodes are visited in the order they are found, neighbours in ascending order, so every node computes the same
 * tree.
 */
public final class SpanningTree {

    /** Enough to find the middle of lines, rings, grids and trees. */
    private static final int LANDMARKS = 8;

    private final int[] parents;
    private final int[][] children;
    private final int depth;
    private final int[] levels;

    private SpanningTree(int[] parents, int[][] children, int depth, int[] levels) {
        this.parents = parents;
        this.children = children;
        this.depth = depth;
        this.levels = levels;
    }

    static SpanningTree of(int[][] around) {
        SpanningTree first = from(0, around);
        int[] nearest = first.levels.clone();
        int[] farthest = first.levels.clone();
        for (int landmark = 1; landmark < LANDMARKS; landmark++) {
            int[] hops = from(first(nearest, true), around).levels;
            for (int node = 0; node < hops.length; node++) {
                nearest[node] = Math.min(nearest[node], hops[node]);
                farthest[node] = Math.max(farthest[node], hops[node]);
            }
        }
        SpanningTree central = from(first(farthest, false), around);
        return central.depth < first.depth ? central : first;
    }

    /** The first node with the largest or the smallest number. */
    private static int first(int[] numbers, boolean largest) {
        int best = 0;
        for (int node = 1; node < numbers.length; node++) {
            if (largest ? numbers[node] > numbers[best] : numbers[node] < numbers[best]) {
                best = node;
            }
        }
        return best;
    }

    /** The tree from a given node. */
    static SpanningTree from(int root, int[][] around) {
        int nodes = around.length;
        int[] parents = new int[nodes];
        Arrays.fill(parents, -2);
        parents[root] = -1;
        int[] levels = new int[nodes];
        int[] queue = new int[nodes];
        queue[0] = root;
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
        return new SpanningTree(parents, children, levels[queue[nodes - 1]], levels);
    }

    /** The node one hop nearer to the root; −1 at the root. */
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
