package dev.starling.lab.conversation;

import dev.starling.network.Network;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The numbers of edges, found by their ends: edges are sorted by their tails, and by their heads after that. */
public final class Edges {

    private Edges() {}

    /** The edge between two nodes; −1 if there is none. */
    static int between(Network network, int one, int other) {
        int tail = Math.min(one, other);
        int head = Math.max(one, other);
        int low = 0;
        int high = network.edges() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = network.tail(middle) == tail
                    ? Integer.compare(network.head(middle), head)
                    : Integer.compare(network.tail(middle), tail);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -1;
    }

    /** The edges of a node, ascending, and so in the order of its neighbours. */
    static IntStream of(Network network, int node) {
        return Arrays.stream(network.neighbours(node)).map(other -> between(network, node, other));
    }

    /** Those of them that are among some edges, which are ascending too. */
    public static int[] of(Network network, int node, List<Integer> among) {
        return of(network, node)
                .filter(edge -> Collections.binarySearch(among, edge) >= 0)
                .toArray();
    }
}
