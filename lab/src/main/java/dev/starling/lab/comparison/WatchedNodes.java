package dev.starling.lab.comparison;

import java.util.stream.IntStream;

/**
 * Chooses the nodes over which the error is averaged: all of a small network, or some that are spread over a larger
 * one.
 */
final class WatchedNodes {

    /** Few by default, because every evaluation of the objective goes over all rows of all nodes. */
    static final int USUAL = 4;

    private WatchedNodes() {}

    static int[] spread(int[] nodes, int most) {
        if (nodes.length <= most) {
            return nodes;
        }
        // One node from each of equal ranges, at a different offset in each: on a grid, equal offsets would all lie in
        // a few columns.
        return IntStream.range(0, most)
                .map(k -> nodes[(int) ((k + (k * 0.618034) % 1) * nodes.length / most)])
                .toArray();
    }
}
