package dev.starling.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The edges of a network sorted into matchings, sets of edges no two of which meet: in each of them a node talks to one
 * neighbour at most.
 */
public final class EdgeColouring {

    /** Squares are looked for where there are at most this many pairs of neighbours of an edge's ends. */
    private static final double MOST_PAIRS = 1e8;

    private final Network network;
    private final int degree;
    private final int[][] incident;
    private final boolean[][] used;
    private final int[] colours;

    private EdgeColouring(Network network) {
        this.network = network;
        int most = 0;
        for (int i = 0; i < network.size(); i++) {
            most = Math.max(most, network.degree(i));
        }
        this.degree = most;
        this.incident = incident(network);
        this.used = new boolean[network.size()][2 * degree];
        this.colours = new int[network.edges()];
        Arrays.fill(colours, -1);
    }

    /** The number of the edge to each neighbour, in the order of the neighbours. */
    private static int[][] incident(Network network) {
        int[][] edges = new int[network.size()][];
        int[] filled = new int[network.size()];
        for (int i = 0; i < edges.length; i++) {
            edges[i] = new int[network.degree(i)];
        }
        for (int e = 0; e < network.edges(); e++) {
            edges[network.tail(e)][filled[network.tail(e)]++] = e;
            edges[network.head(e)][filled[network.head(e)]++] = e;
        }
        return edges;
    }

    /**
     * Colourings worth trying. The first gives every edge the first colour that is free at both ends: fewer than twice
     * the largest degree, but on a grid whole columns of edges are alike, which together cut it in two. The second
     * avoids that: where it can choose it takes the colour that the fewest opposite sides of an edge's squares have,
     * which on a grid staggers the edges of a colour like bricks.
     */
    public static List<List<List<Integer>>> candidates(Network network) {
        List<List<List<Integer>>> candidates = new ArrayList<>();
        candidates.add(new EdgeColouring(network).coloured(false));
        EdgeColouring staggered = new EdgeColouring(network);
        if ((double) network.edges() * staggered.degree * staggered.degree <= MOST_PAIRS) {
            candidates.add(staggered.coloured(true));
        }
        return candidates;
    }

    private List<List<Integer>> coloured(boolean staggered) {
        List<List<Integer>> matchings = new ArrayList<>();
        for (int e = 0; e < colours.length; e++) {
            int colour = staggered ? leastOpposite(e) : firstFree(e);
            colours[e] = colour;
            used[network.tail(e)][colour] = true;
            used[network.head(e)][colour] = true;
            while (matchings.size() <= colour) {
                matchings.add(new ArrayList<>());
            }
            matchings.get(colour).add(e);
        }
        matchings.removeIf(List::isEmpty);
        return matchings;
    }

    private boolean isFree(int edge, int colour) {
        return !used[network.tail(edge)][colour] && !used[network.head(edge)][colour];
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

    /** By colour, how many squares through an edge have it on the opposite side. */
    private int[] oppositeColours(int edge) {
        int[] count = new int[2 * degree];
        for (int left : network.neighbours(network.tail(edge))) {
            for (int right : network.neighbours(network.head(edge))) {
                int across = left == network.head(edge) || right == network.tail(edge) ? -1 : edge(left, right);
                if (across >= 0 && colours[across] >= 0) {
                    count[colours[across]]++;
                }
            }
        }
        return count;
    }

    private int edge(int one, int other) {
        int position = Arrays.binarySearch(network.neighbours(one), other);
        return position < 0 ? -1 : incident[one][position];
    }
}
