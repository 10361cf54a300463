package dev.starling.lab.baseline;

import dev.starling.network.Network;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How what one node says reaches all others along shortest paths, so that everyone hears it once: node v hears of
 * source s from its first neighbour that is nearer to s. Every node that knows the graph finds the same routes.
 */
final class Routes {

    private final int[][] distance;
    private final List<List<int[]>> heard;

    private Routes(int[][] distance, List<List<int[]>> heard) {
        this.distance = distance;
        this.heard = heard;
    }

    static Routes of(Network network) {
        int n = network.size();
        int[][] distance =
                IntStream.range(0, n).mapToObj(node -> distances(network, node)).toArray(int[][]::new);
        List<List<int[]>> heard = new ArrayList<>();
        for (int node = 0; node < n; node++) {
            int[] neighbours = network.neighbours(node);
            int[] parents = parents(distance, node, neighbours);
            heard.add(Arrays.stream(neighbours)
                    .mapToObj(neighbour -> IntStream.range(0, n)
                            .filter(source -> parents[source] == neighbour)
                            .toArray())
                    .toList());
        }
        return new Routes(distance, heard);
    }

    /** By which neighbour a node hears of every source; −1 for itself. */
    private static int[] parents(int[][] distance, int node, int[] neighbours) {
        return IntStream.range(0, distance.length)
                .map(source -> Arrays.stream(neighbours)
                        .filter(neighbour -> distance[source][neighbour] < distance[source][node])
                        .findFirst()
                        .orElse(-1))
                .toArray();
    }

    private static int[] distances(Network network, int from) {
        int[] distance = new int[network.size()];
        Arrays.fill(distance, -1);
        int[] queue = new int[network.size()];
        distance[from] = 0;
        queue[0] = from;
        for (int head = 0, tail = 1; head < tail; head++) {
            for (int next : network.neighbours(queue[head])) {
                if (distance[next] < 0) {
                    distance[next] = distance[queue[head]] + 1;
                    queue[tail++] = next;
                }
            }
        }
        return distance;
    }

    int distance(int a, int b) {
        return distance[a][b];
    }

    /** The sources that a node hears of by the k-th of its neighbours, in ascending order. */
    int[] heard(int node, int k) {
        return heard.get(node).get(k);
    }

    /** All other nodes, the farthest first. */
    int[] farthestFirst(int node) {
        return IntStream.range(0, distance.length)
                .filter(other -> other != node)
                .boxed()
                .sorted(Comparator.comparingInt((Integer other) -> -distance[node][other]))
                .mapToInt(other -> other)
                .toArray();
    }
}
