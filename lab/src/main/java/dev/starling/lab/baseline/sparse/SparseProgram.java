package dev.starling.lab.baseline.sparse;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.Entries;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A node that sends what its samples have changed rather than a vector of its own, and works out the vectors of all
 * other nodes from what theirs have changed: the trick of DSBA's paper.
 *
 * <p>It needs a method whose step is linear but for a change that has few entries. Changes travel along shortest paths,
 * one edge per round ({@link Routes}), so that in round t a node receives the change t−k+1 of every node at distance k
 * ≥ 1, with which that node's vectors advance from time t−k to t−k+1. That requires those of its neighbours at time
 * t−k; they are at a distance of at most k+1 and have reached exactly that time if the farthest nodes are processed
 * first. In the end the neighbours are at time t, and the node can make its own step.
 *
 * <p>All nodes perform the same operations in the same order, so what one works out about another is what the other
 * has, bit for bit. The price is memory and work: every node stores vectors of all nodes and repeats all their steps.
 */
public abstract class SparseProgram extends BaselineProgram {

    private static final int[] NOBODY = {};

    final int node;
    final Network network;
    private final Routes routes;
    private final int[] neighbours;
    private final int[] farthestFirst;

    /** How many entries a change has, most of them zero. */
    private final int width;

    /** For every node, its latest known change, as {@link Entries}. */
    final double[][] changes;

    /** For every node, what its neighbours' steps need of it: at its time and the one before, by parity. */
    private final double[][][] shown;

    /** For every node, the message that holds its latest change, and where in it that begins. */
    private final double[][] news;

    private final int[] newsStart;
    private final int[] receiver = new int[1];
    private double[] message = {};

    SparseProgram(int node, LocalProblem problem, Network network, Routes routes, int width) {
        super(node, problem);
        int n = network.size();
        this.node = node;
        this.network = network;
        this.routes = routes;
        this.neighbours = network.neighbours(node);
        this.farthestFirst = routes.farthestFirst(node);
        this.width = width;
        this.changes = vectors(n, Entries.longest(width));
        this.shown = new double[][][] {vectors(n, width), vectors(n, width)};
        this.news = new double[n][];
        this.newsStart = new int[n];
    }

    /** Makes the node's own change of the coming round known in {@link #changes}, and returns what that costs. */
    abstract double prepare();

    /** Takes the first change of another node. */
    abstract void begin(int source, double[] change, int start);

    /** Repeats another node's step from a time to the next, given the change that it made then. */
    abstract void follow(int source, long time, double[] change, int start);

    /** Makes the node's own step from the present time to the next. */
    abstract void move();

    final double[][] vectors(int count, int length) {
        return IntStream.range(0, count).mapToObj(k -> vector(length)).toArray(double[][]::new);
    }

    /** What all nodes show at a time, as far as it is known. */
    final double[][] shown(long time) {
        return shown[(int) (time & 1)];
    }

    /**
     * Checks that the memory suffices: here all nodes are in one process, and each stores vectors of all nodes.
     *
     * @param kept how many vectors a node stores for every node
     */
    public static void requireMemory(String method, int kept, int nodes, int features, long available) {
        double bytes = (double) kept * Double.BYTES * nodes * nodes * features;
        if (bytes > available / 2.0) {
            throw new InvalidInputException(String.format(
                    Locale.US,
                    "%s keeps %d vectors of all nodes at every node, and %d nodes with %d features make that"
                            + " %.3g GB of the %.3g GB that Java may use; take fewer nodes, %s instead, or a larger"
                            + " heap (-Xmx)",
                    method,
                    kept,
                    nodes,
                    features,
                    bytes * 1e-9,
                    available * 1e-9,
                    method.equals("dsba-sparse") ? "dsba" : "adfs"));
        }
    }

    /** Every neighbour gets its own message; after sending the last one, the node waits for one from each neighbour. */
    @Override
    public final Exchange advance() {
        double work = phase > 0 ? 0 : prepare();
        if (neighbours.length == 0) {
            return exchange.pause(work);
        }
        receiver[0] = neighbours[(int) phase];
        int length = writeMessage(receiver[0]);
        return phase + 1 == neighbours.length
                ? exchange.set(Exchange.Kind.ROUND, receiver, message, length, neighbours, work)
                : exchange.set(Exchange.Kind.CONTROL, receiver, message, length, NOBODY, work);
    }

    /** Writes the latest known changes of all nodes that the neighbour receives from this node. */
    private int writeMessage(int neighbour) {
        int length = 0;
        int back = Arrays.binarySearch(network.neighbours(neighbour), node);
        for (int source : routes.sources(neighbour, back)) {
            if (steps >= routes.distance(source, node)) {
                int numbers = Entries.length(changes[source], 0, width);
                if (message.length < length + numbers) {
                    message = Arrays.copyOf(message, 2 * (length + numbers));
                }
                System.arraycopy(changes[source], 0, message, length, numbers);
                length += numbers;
            }
        }
        return length;
    }

    @Override
    public final void absorb(double[][] messages) {
        if (phase + 1 < neighbours.length) {
            phase++;
            return;
        }
        phase = 0;
        findNews(messages);
        for (int source : farthestFirst) {
            long time = steps - routes.distance(source, node);
            if (time >= 0) {
                follow(source, time, news[source], newsStart[source]);
            } else if (time == -1) {
                begin(source, news[source], newsStart[source]);
            }
            if (time >= -1) {
                int numbers = Entries.length(news[source], newsStart[source], width);
                System.arraycopy(news[source], newsStart[source], changes[source], 0, numbers);
            }
        }
        move();
        steps++;
    }

    private void findNews(double[][] messages) {
        for (int k = 0; k < neighbours.length; k++) {
            int start = 0;
            for (int source : routes.sources(node, k)) {
                if (steps >= routes.distance(source, node) - 1) {
                    news[source] = messages[k];
                    newsStart[source] = start;
                    start += Entries.length(messages[k], start, width);
                }
            }
        }
    }
}
