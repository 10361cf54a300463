package dev.starling.lab.baseline.sparse;

import dev.starling.network.Network;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Routes by which messages of one node reach all others along shortest paths, so that every node receives each once:
 * node v receives those of source s from its first neighbour that is nearer to s. Every node that knows the graph finds
 * the same routes.
 */
public final class Routes {

    private final int[][] distance;
    private final List<List<int[]>> sources;

    private Routes(int[][] distance, List<List<int[]>> sources) {
        this.distance = distance;
        this.sources = sources;
    }

    public static Routes of(Network network) {
        int n = network.size();
        int[][] distance = IntStream.range(0, n).mapToObj(network::hops).toArray(int[][]::new);
        List<List<int[]>> sources = new ArrayList<>();
        for (int node = 0; node < n; node++) {
            int[] neighbours = network.neighbours(node);
            int[] parents = parents(distance, node, neighbours);
            sources.add(Arrays.stream(neighbours)
                    .mapToObj(neighbour -> IntStream.range(0, n)
                            .filter(source -> parents[source] == neighbour)
                            .toArray())
                    .toList());
        }
        return new Routes(distance, sources);
    }

    /** The neighbour from which a node receives messages of each source; −1 for itself. */
    private static int[] parents(int[][] distance, int node, int[] neighbours) {
        return IntStream.range(0, distance.length)
                .map(source -> Arrays.stream(neighbours)
                        .filter(neighbour -> distance[source][neighbour] < distance[source][node])
                        .findFirst()
                        .orElse(-1))
                .toArray();
    }

    public int distance(int a, int b) {
        return distance[a][b];
    }

    /** The sources whose messages a node receives from its k-th neighbour, in ascending order. */
    public int[] sources(int node, int k) {
        return sources.get(node).get(k);
    }

    /** All other nodes, the farthest first. */
    public int[] farthestFirst(int node) {
        return IntStream.range(0, distance.length)
                .filter(other -> other != node)
                .boxed()
                .sorted(Comparator.comparingInt((Integer other) -> -distance[node][other]))
                .mapToInt(other -> other)
                .toArray();
    }
}
