package dev.starling.network;

import java.util.Arrays;

/** Breadth-first walks over a graph that is given by the neighbours of every node. */
final class Traversal {

    private static final int SWEEPS = 4;

    private final int[][] around;
    private final int[] queue;
    private final int[] distance;

    private Traversal(int[][] around) {
        this.around = around;
        this.queue = new int[around.length];
        this.distance = new int[around.length];
    }

    /** The smallest node that cannot be reached from node 0, or −1. */
    static int firstUnreachable(int[][] around) {
        Traversal walk = new Traversal(around);
        if (walk.from(0) == around.length) {
            return -1;
        }
        int node = 0;
        while (walk.distance[node] >= 0) {
            node++;
        }
        return node;
    }

    /** The distance of every node from one. */
    static int[] distances(int[][] around, int start) {
        Traversal walk = new Traversal(around);
        walk.from(start);
        return walk.distance;
    }

    /** The longest distance between two nodes, by a walk from each. */
    static int diameter(int[][] around) {
        Traversal walk = new Traversal(around);
        int longest = 0;
        for (int node = 0; node < around.length; node++) {
            longest = Math.max(longest, walk.eccentricity(node));
        }
        return longest;
    }

    /** The longest distance seen in walks that each start from the last node of the previous one; exact on trees. */
    static int sweep(int[][] around) {
        Traversal walk = new Traversal(around);
        int longest = 0;
        int start = 0;
        for (int i = 0; i < SWEEPS; i++) {
            longest = Math.max(longest, walk.eccentricity(start));
            start = walk.queue[around.length - 1];
        }
        return longest;
    }

    private int eccentricity(int node) {
        return distance[queue[from(node) - 1]];
    }

    /** Visits nodes breadth first; returns how many were reached and stores their order and distances. */
    private int from(int start) {
        Arrays.fill(distance, -1);
        distance[start] = 0;
        queue[0] = start;
        int reached = 1;
        for (int at = 0; at < reached; at++) {
            int node = queue[at];
            for (int next : around[node]) {
                if (distance[next] < 0) {
                    distance[next] = distance[node] + 1;
                    queue[reached++] = next;
                }
            }
        }
        return reached;
    }
}
