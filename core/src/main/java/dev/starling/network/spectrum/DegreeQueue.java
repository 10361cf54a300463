package dev.starling.network.spectrum;

import java.util.Arrays;

/**
 * A queue of nodes by degree, lowest first: one list for each small degree, while high degrees share lists by powers of
 * two.
 */
public final class DegreeQueue {

    private static final int EXACT = 64;

    private final int[] degrees;
    private final int[] heads;
    private final int[] next;
    private final int[] previous;
    private int lowest;

    public DegreeQueue(int[] degrees) {
        this.degrees = degrees;
        heads = new int[EXACT + 32];
        Arrays.fill(heads, -1);
        next = new int[degrees.length];
        previous = new int[degrees.length];
        for (int node = degrees.length - 1; node >= 0; node--) {
            push(node);
        }
    }

    private static int list(int degree) {
        return degree < EXACT ? degree : EXACT + 31 - Integer.numberOfLeadingZeros(degree / EXACT);
    }

    /** Takes out a node of (about) the lowest degree. */
    public int poll() {
        while (heads[lowest] < 0) {
            lowest++;
        }
        int node = heads[lowest];
        unlink(node);
        return node;
    }

    public void increase(int node) {
        move(node, degrees[node] + 1);
    }

    public void decrease(int node) {
        move(node, degrees[node] - 1);
    }

    private void move(int node, int degree) {
        if (list(degree) == list(degrees[node])) {
            degrees[node] = degree;
            return;
        }
        unlink(node);
        degrees[node] = degree;
        push(node);
    }

    private void push(int node) {
        int list = list(degrees[node]);
        next[node] = heads[list];
        previous[node] = -1;
        if (heads[list] >= 0) {
            previous[heads[list]] = node;
        }
        heads[list] = node;
        lowest = Math.min(lowest, list);
    }

    private void unlink(int node) {
        if (previous[node] < 0) {
            heads[list(degrees[node])] = next[node];
        } else {
            next[previous[node]] = next[node];
        }
        if (next[node] >= 0) {
            previous[next[node]] = previous[node];
        }
    }
}
