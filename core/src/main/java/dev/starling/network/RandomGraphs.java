package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** Random graphs, which are determined by their parameters and a seed. */
final class RandomGraphs {

    private static final int TRIES = 100;

    private RandomGraphs() {}

    /** Draws with this seed and the following ones until a graph is connected. */
    private static Network firstConnected(
            String description, int nodes, long seed, String remedy, Function<UniformRandomProvider, EdgeBuffer> draw) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            EdgeBuffer edges = draw.apply(RandomSource.XO_SHI_RO_256_PP.create(seed + attempt));
            edges.sortAndMerge();
            int[][] around = Network.adjacency(nodes, edges.tails(), edges.heads());
            if (Traversal.firstUnreachable(around) < 0) {
                return RegularGraphs.numbered(description + " (seed " + seed + ")", nodes, edges);
            }
        }
        throw new InvalidInputException(
                "none of " + TRIES + " graphs drawn as " + description + " nodes is connected; " + remedy);
    }

    /** An edge probability, 2 ln n / n, at which a graph is connected with probability about 1 − 1/n. */
    static double likelyConnected(int nodes) {
        return Math.min(1.0, 2 * StrictMath.log(nodes) / nodes);
    }

    static Network erdosRenyi(int nodes, double probability, long seed) {
        String description = "erdos-renyi:" + probability + " of " + nodes;
        RegularGraphs.requireEdgesFit(
                "erdos-renyi", nodes, 0.5 * nodes * (nodes - 1.0) * probability, "use a smaller probability");
        return firstConnected(
                description,
                nodes,
                seed,
                "use a probability of " + likelyConnected(nodes) + " or more",
                random -> pairs(nodes, probability, random));
    }

    /**
     * Joins every pair with the same probability, by skipping a geometrically distributed number of pairs at a time.
     */
    private static EdgeBuffer pairs(int nodes, double probability, UniformRandomProvider random) {
        EdgeBuffer edges = new EdgeBuffer((int) (0.55 * nodes * (nodes - 1.0) * probability) + 16);
        if (probability == 0) {
            return edges;
        }
        double perPair = StrictMath.log1p(-probability);
        long column = -1;
        for (int row = 1; row < nodes; ) {
            double skip = probability == 1 ? 0 : StrictMath.floor(StrictMath.log1p(-random.nextDouble()) / perPair);
            column += 1 + (long) Math.min(skip, 1e18);
            while (row < nodes && column >= row) {
                column -= row++;
            }
            if (row < nodes) {
                edges.add(row, (int) column);
            }
        }
        return edges;
    }

    static Network wattsStrogatz(int nodes, int degree, double rewiring, long seed) {
        String description = "watts-strogatz:" + degree + ":" + rewiring + " of " + nodes;
        if (nodes == 2) {
            return RegularGraphs.numbered(description, nodes, RegularGraphs.circle(nodes));
        }
        if (degree < 2 || degree % 2 != 0 || degree >= nodes) {
            throw new InvalidInputException("watts-strogatz of " + nodes + " nodes: degree " + degree
                    + " must be even, at least 2 and less than the number of nodes");
        }
        RegularGraphs.requireEdgesFit("watts-strogatz", nodes, 0.5 * nodes * degree, "use a smaller degree");
        return firstConnected(
                description,
                nodes,
                seed,
                "use a larger degree or a smaller probability",
                random -> smallWorld(nodes, degree, rewiring, random));
    }

    /**
     * A ring in which each node is joined to the nearest ones, with one end of some edges then moved to a random node.
     */
    private static EdgeBuffer smallWorld(int nodes, int degree, double rewiring, UniformRandomProvider random) {
        int edgeCount = nodes * (degree / 2);
        int[] from = new int[edgeCount];
        int[] to = new int[edgeCount];
        Set<Long> present = new HashSet<>(2 * edgeCount);
        int[] degrees = new int[nodes];
        int e = 0;
        for (int hop = 1; hop <= degree / 2; hop++) {
            for (int i = 0; i < nodes; i++, e++) {
                from[e] = i;
                to[e] = (i + hop) % nodes;
                if (present.add(EdgeBuffer.key(from[e], to[e]))) {
                    degrees[from[e]]++;
                    degrees[to[e]]++;
                }
            }
        }
        EdgeBuffer edges = new EdgeBuffer(edgeCount);
        for (e = 0; e < edgeCount; e++) {
            if (random.nextDouble() < rewiring && degrees[from[e]] < nodes - 1) {
                int target = random.nextInt(nodes);
                while (target == from[e] || present.contains(EdgeBuffer.key(from[e], target))) {
                    target = random.nextInt(nodes);
                }
                present.remove(EdgeBuffer.key(from[e], to[e]));
                degrees[to[e]]--;
                present.add(EdgeBuffer.key(from[e], target));
                degrees[target]++;
                to[e] = target;
            }
            edges.add(from[e], to[e]);
        }
        return edges;
    }

    static Network regular(int nodes, int degree, long seed) {
        String what = "random-regular of " + nodes + " nodes: degree " + degree;
        if (degree >= nodes || degree < (nodes == 2 ? 1 : 2)) {
            throw new InvalidInputException(what + " must be between " + (nodes == 2 ? 1 : 2) + " and " + (nodes - 1)
                    + " for a connected graph");
        }
        if (nodes % 2 == 1 && degree % 2 == 1) {
            throw new InvalidInputException(what + " must be even because the number of nodes is odd; use "
                    + (degree - 1) + (degree + 1 < nodes ? " or " + (degree + 1) : ""));
        }
        RegularGraphs.requireEdgesFit("random-regular", nodes, 0.5 * nodes * degree, "use a smaller degree");
        return firstConnected(
                "random-regular:" + degree + " of " + nodes,
                nodes,
                seed,
                "use another seed",
                random -> regularEdges(nodes, degree, random));
    }

    private static EdgeBuffer regularEdges(int nodes, int degree, UniformRandomProvider random) {
        if (degree == 2) {
            return randomRing(nodes, random);
        }
        // Pairing gets stuck on dense graphs, but their complements are sparse and regular too.
        boolean dense = 2 * degree > nodes - 1;
        int drawn = dense ? nodes - 1 - degree : degree;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Optional<int[][]> partners = pairing(nodes, drawn, random);
            if (partners.isPresent()) {
                return dense ? complement(partners.get()) : listed(partners.get());
            }
        }
        throw new InvalidInputException("no random-regular:" + degree + " graph of " + nodes + " nodes found in "
                + TRIES + " tries; use another degree or seed");
    }

    /** A random ring: the only connected graphs of degree 2 are rings. */
    private static EdgeBuffer randomRing(int nodes, UniformRandomProvider random) {
        int[] order = new int[nodes];
        for (int i = 0; i < nodes; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        EdgeBuffer edges = new EdgeBuffer(nodes);
        for (int i = 0; i < nodes; i++) {
            edges.add(order[i], order[(i + 1) % nodes]);
        }
        return edges;
    }

    /**
     * Repeatedly joins random free stubs of two nodes that are not joined yet (Steger and Wormald); empty if it gets
     * stuck.
     */
    private static Optional<int[][]> pairing(int nodes, int degree, UniformRandomProvider random) {
        int[] free = new int[nodes * degree];
        for (int i = 0; i < free.length; i++) {
            free[i] = i / degree;
        }
        int[][] partners = new int[nodes][degree];
        int[] filled = new int[nodes];
        int failures = 0;
        for (int left = free.length; left > 0; ) {
            int a = random.nextInt(left);
            int b = random.nextInt(left);
            int one = free[a];
            int other = free[b];
            if (one == other || contains(partners[one], filled[one], other)) {
                if (++failures > 100 + 10 * left) {
                    return Optional.empty();
                }
                continue;
            }
            failures = 0;
            partners[one][filled[one]++] = other;
            partners[other][filled[other]++] = one;
            free[Math.max(a, b)] = free[--left];
            free[Math.min(a, b)] = free[--left];
        }
        return Optional.of(partners);
    }

    private static boolean contains(int[] array, int length, int value) {
        for (int i = 0; i < length; i++) {
            if (array[i] == value) {
                return true;
            }
        }
        return false;
    }

    private static EdgeBuffer listed(int[][] partners) {
        EdgeBuffer edges = new EdgeBuffer(partners.length * partners[0].length / 2);
        for (int i = 0; i < partners.length; i++) {
            for (int j : partners[i]) {
                if (i < j) {
                    edges.add(i, j);
                }
            }
        }
        return edges;
    }

    private static EdgeBuffer complement(int[][] partners) {
        EdgeBuffer edges = new EdgeBuffer(partners.length * (partners.length - 1 - partners[0].length) / 2);
        for (int i = 0; i < partners.length; i++) {
            for (int j = i + 1; j < partners.length; j++) {
                if (!contains(partners[i], partners[i].length, j)) {
                    edges.add(i, j);
                }
            }
        }
        return edges;
    }
}
