package dev.starling.lab.comparison;

import java.util.stream.IntStream;

/** Which nodes the error is averaged over: all of a small network, and of a larger one some that are spread over it. */
final class WatchedNodes {

    /**
     * Every evaluation of the objective goes over all rows of all nodes, so that doing it for every node takes long.
     */
    static final int USUAL = 4;

    private WatchedNodes() {}

    static int[] spread(int[] nodes, int most) {
        if (nodes.length <= most) {
            return nodes;
        }
        // The middles of equal stretches, moved by a fraction of a stretch each: on a grid the middles alone would all
        // lie in few columns.
        return IntStream.range(0, most)
                .map(k -> nodes[(int) ((k + (k * 0.618034) % 1) * nodes.length / most)])
                .toArray();
    }
}
