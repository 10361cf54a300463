package dev.starling.network;

import java.util.Arrays;

/** Collects edges for a network: each is stored in one long, with the smaller end in the upper half. */
final class EdgeBuffer {

    private long[] keys;
    private int count;

    EdgeBuffer(int expected) {
        keys = new long[Math.max(4, expected)];
    }

    static long key(int a, int b) {
        return ((long) Math.min(a, b) << 32) | Math.max(a, b);
    }

    void add(int a, int b) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, keys.length + (keys.length >> 1));
        }
        keys[count++] = key(a, b);
    }

    /** Puts the edges in ascending order and keeps one of each. */
    void sortAndMerge() {
        Arrays.sort(keys, 0, count);
        int kept = 0;
        for (int e = 0; e < count; e++) {
            if (kept == 0 || keys[e] != keys[kept - 1]) {
                keys[kept++] = keys[e];
            }
        }
        count = kept;
    }

    int[] tails() {
        int[] tails = new int[count];
        for (int e = 0; e < count; e++) {
            tails[e] = (int) (keys[e] >>> 32);
        }
        return tails;
    }

    int[] heads() {
        int[] heads = new int[count];
        for (int e = 0; e < count; e++) {
            heads[e] = (int) keys[e];
        }
        return heads;
    }
}
