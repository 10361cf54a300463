package dev.starling.lab.conversation;

import dev.starling.network.Network;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

/**
 * Partitions the edges of a network into matchings, sets of edges no two of which share a node: in each of them, a node
 * talks to at most one neighbour.
 */
public final class EdgeColouring {

    /**
     * Squares are searched for only if all edges together have at most this many pairs of neighbours of their two ends.
     */
    private static final double MOST_PAIRS = 1e8;

    private final Network network;
    private final int degree;
    private final BitSet[] used;
    private final int[] colours;

    private EdgeColouring(Network network) {
        this.network = network;
        int most = 0;
        for (int i = 0; i < network.size(); i++) {
            most = Math.max(most, network.degree(i));
        }
        this.degree = most;
        this.used = Stream.generate(BitSet::new).limit(network.size()).toArray(BitSet[]::new);
        this.colours = new int[network.edges()];
        Arrays.fill(colours, -1);
    }

    /**
     * Colourings worth trying, each a list of matchings.
     *
     * <p>The first gives every edge the first colour that is free at both ends. It needs fewer colours than twice the
     * largest degree, but on a grid it gives whole columns of edges the same colour, and such a column cuts the grid in
     * two. The second avoids that: among the free colours it takes the one that is rarest on the opposite sides of the
     * squares an edge belongs to, which staggers the edges of a colour on a grid like bricks. For dense graphs there is
     * the round robin as well, colour k + l modulo n: no colouring of a complete graph with an odd number of nodes has
     * fewer colours.
     */
    public static List<List<List<Integer>>> candidates(Network network) {
        List<List<List<Integer>>> candidates = new ArrayList<>();
        EdgeColouring greedy = new EdgeColouring(network);
        candidates.add(greedy.coloured(greedy::firstFree));
        if ((double) network.edges() * greedy.degree * greedy.degree <= MOST_PAIRS) {
            EdgeColouring staggered = new EdgeColouring(network);
            candidates.add(staggered.coloured(staggered::leastOpposite));
        }
        if (network.size() <= 2 * greedy.degree) {
            candidates.add(
                    new EdgeColouring(network).coloured(e -> (network.tail(e) + network.head(e)) % network.size()));
        }
        return candidates;
    }

    private List<List<Integer>> coloured(IntUnaryOperator choice) {
        List<List<Integer>> matchings = new ArrayList<>();
        for (int e = 0; e < colours.length; e++) {
            int colour = choice.applyAsInt(e);
            colours[e] = colour;
            used[network.tail(e)].set(colour);
            used[network.head(e)].set(colour);
            while (matchings.size() <= colour) {
                matchings.add(new ArrayList<>());
            }
            matchings.get(colour).add(e);
        }
        matchings.removeIf(List::isEmpty);
        return matchings;
    }

    private boolean isFree(int edge, int colour) {
        return !used[network.tail(edge)].get(colour) && !used[network.head(edge)].get(colour);
    }

    private int firstFree(int edge) {
        int colour = 0;
        while (!isFree(edge, colour)) {
            colour++;
        }
        return colour;
    }

    private int leastOpposite(int edge) {
        int[] opposite = oppositeColours(edge);
        int best = firstFree(edge);
        for (int colour = best + 1; colour < degree; colour++) {
            if (isFree(edge, colour) && opposite[colour] < opposite[best]) {
                best = colour;
            }
        }
        return best;
    }

    /** For each colour, how many squares through an edge have it on the opposite side. */
    private int[] oppositeColours(int edge) {
        int[] count = new int[2 * degree];
        for (int left : network.neighbours(network.tail(edge))) {
            for (int right : network.neighbours(network.head(edge))) {
                int across = left == network.head(edge) || right == network.tail(edge)
                        ? -1
                        : Edges.between(network, left, right);
                if (across >= 0 && colours[across] >= 0) {
                    count[colours[across]]++;
                }
            }
        }
        return count;
    }
}
