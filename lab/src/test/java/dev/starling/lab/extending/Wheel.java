package dev.starling.lab.extending;

import dev.starling.network.Network;

/** A ring with a hub in its middle that is linked to every other node. */
final class Wheel {

    private Wheel() {}

    static Network of(int nodes) {
        int rim = nodes - 1;
        int[][] edges = new int[2 * rim][];
        for (int k = 0; k < rim; k++) {
            edges[k] = new int[] {0, 1 + k};
            edges[rim + k] = new int[] {1 + k, 1 + (k + 1) % rim};
        }
        return Network.of(nodes, edges);
    }
}
