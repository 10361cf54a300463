package dev.starling.lab.baseline;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.Vectors;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * {@link Dsba} with the sparse communication of its paper: nodes send the changes that their samples cause rather than
 * their iterates, and every node works out the iterates of all others from these.
 *
 * <p>With y^t = 2z^t − z^{t−1} and δ^t the change of the slope of the sample of step t, times its row, a step of DSBA
 * at node l is linear except in δ:
 *
 * <pre>
 * z_l^{t+1} = [ (W̃y^t)_l + ασ_l z_l^t + α(m_l − 1) δ_l^t − αm_l δ_l^{t+1} ] / (1 + ασ_l)
 * </pre>
 *
 * where at t = 0 the term α(m_l − 1)δ_l^t is replaced by −αδ_l⁰, with δ⁰ the gradient at 0. δ has no more entries than
 * a row; only δ⁰ may have many. Nodes forward them along shortest paths, one edge per round ({@link Routes}), so that
 * in round t a node receives δ_l^{t−k+1} of every l at distance k ≥ 1. With it, z_l advances from time t−k to t−k+1.
 * That requires y of l's neighbours at time t−k; they are at a distance of at most k+1 and have reached exactly that
 * time if the farthest nodes are processed first. In the end the neighbours are at time t, and the node can make its
 * own step.
 *
 * <p>All nodes perform the same operations in the same order, so what one works out about another is what the other
 * has, bit for bit. The price is memory and work: every node stores z, two y and δ of all nodes, 4nd numbers, and
 * repeats all their steps.
 */
final class DsbaSparse {

    private static final int[] NOBODY = {};

    /** How many vectors a node stores for every node. */
    private static final int KEPT = 4;

    private DsbaSparse() {}

    static List<? extends EstimatingProgram> programs(Setting on) {
        Dsba.Parameters parameters = Dsba.Parameters.of(on.gossip(), on.facts(), 1);
        requireMemory(
                on.network().size(),
                on.problem().features(),
                Runtime.getRuntime().maxMemory());
        Shared shared = Shared.of(on.problem(), on.network(), parameters);
        return on.nodes(setup -> new Program(setup.node(), setup.problem(), shared, on.seed()));
    }

    /** Checks that the memory suffices: here all nodes are in one process, and each stores vectors of all nodes. */
    static void requireMemory(int nodes, int features, long available) {
        double bytes = (double) KEPT * Double.BYTES * nodes * nodes * features;
        if (bytes > available / 2.0) {
            throw new InvalidInputException(String.format(
                    java.util.Locale.ROOT,
                    "dsba-sparse keeps %d vectors of all nodes at every node, and %d nodes with %d features make that"
                            + " %.3g GB of the %.3g GB that Java may use; take fewer nodes, dsba instead, or a larger"
                            + " heap (-Xmx)",
                    KEPT,
                    nodes,
                    features,
                    bytes * 1e-9,
                    available * 1e-9));
        }
    }

    /** What all nodes know about each other from the start. */
    private record Shared(
            Network network,
            Routes routes,
            Dsba.Parameters parameters,
            LaplacianRow[] around,
            double[] samples,
            double[] sigmas) {

        static Shared of(Problem problem, Network network, Dsba.Parameters parameters) {
            return new Shared(
                    network,
                    Routes.of(network),
                    parameters,
                    IntStream.range(0, network.size())
                            .mapToObj(node -> LaplacianRow.of(network, node))
                            .toArray(LaplacianRow[]::new),
                    problem.nodes().stream().mapToDouble(LocalProblem::samples).toArray(),
                    problem.nodes().stream().mapToDouble(LocalProblem::sigma).toArray());
        }
    }

    private static final class Program extends BaselineProgram {

        private final int node;
        private final Shared shared;
        private final double step;
        private final Samples samples;
        private final RestorableUniformRandomProvider own;
        private final double[] slopes;
        private final int[] neighbours;
        private final int[] farthestFirst;

        /** For every node: z and δ at its time, and y at its time and the one before, by parity. */
        private final double[][] z;

        private final double[][] changes;
        private final double[][][] lookahead;

        /** For every node, the message that holds its latest change, and where in it that begins. */
        private final double[][] news;

        private final int[] newsStart;
        private final double[] ownNews;

        private final double[] laplacian;
        private final double[] next;
        private final double[] row;
        private final int[] receiver = new int[1];
        private double[] message = {};

        Program(int node, LocalProblem problem, Shared shared, long seed) {
            super(node, problem);
            int d = problem.features();
            int n = shared.network().size();
            this.node = node;
            this.shared = shared;
            this.step = shared.parameters().stepSize();
            this.samples = Samples.of(problem);
            this.own = stream(Streams.own(seed, node));
            this.slopes = vector(samples.count());
            this.neighbours = shared.network().neighbours(node);
            this.farthestFirst = shared.routes().farthestFirst(node);
            this.z = vectors(n, d);
            this.changes = vectors(n, Entries.longest(d));
            this.lookahead = new double[][][] {vectors(n, d), vectors(n, d)};
            this.news = new double[n][];
            this.newsStart = new int[n];
            this.ownNews = new double[Entries.longest(d)];
            this.laplacian = new double[d];
            this.next = new double[d];
            this.row = new double[d];
            for (int j = 0; j < slopes.length; j++) {
                slopes[j] = samples.slope(j, 0);
                samples.add(j, slopes[j], row);
            }
            Entries.write(row, changes[node]);
        }

        private double[][] vectors(int count, int length) {
            return IntStream.range(0, count).mapToObj(k -> vector(length)).toArray(double[][]::new);
        }

        /**
         * Every neighbour gets its own message; after sending the last one, the node waits for one from each neighbour.
         */
        @Override
        public Exchange advance() {
            double work = phase > 0 ? 0 : steps == 0 ? samples.count() : 1;
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
            int back = Arrays.binarySearch(shared.network().neighbours(neighbour), node);
            for (int source : shared.routes().sources(neighbour, back)) {
                if (steps >= shared.routes().distance(source, node)) {
                    int numbers = Entries.length(changes[source], 0, next.length);
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
        public void absorb(double[][] messages) {
            if (phase + 1 < neighbours.length) {
                phase++;
                return;
            }
            phase = 0;
            findNews(messages);
            for (int source : farthestFirst) {
                int distance = shared.routes().distance(source, node);
                if (steps >= distance) {
                    follow(source, steps - distance);
                }
                if (steps >= distance - 1) {
                    int numbers = Entries.length(news[source], newsStart[source], next.length);
                    System.arraycopy(news[source], newsStart[source], changes[source], 0, numbers);
                }
            }
            move();
            steps++;
        }

        private void findNews(double[][] messages) {
            for (int k = 0; k < neighbours.length; k++) {
                int start = 0;
                for (int source : shared.routes().sources(node, k)) {
                    if (steps >= shared.routes().distance(source, node) - 1) {
                        news[source] = messages[k];
                        newsStart[source] = start;
                        start += Entries.length(messages[k], start, next.length);
                    }
                }
            }
        }

        /** Repeats another node's step from one time to the next. */
        private void follow(int source, long time) {
            mix(source, time);
            finish(source, time, news[source], newsStart[source]);
        }

        /** Makes the node's own step, which determines its change. */
        private void move() {
            mix(node, steps);
            resolve(WeightedDraw.uniform(own, samples.count()));
            Entries.write(row, ownNews);
            finish(node, steps, ownNews, 0);
            Vectors.copy(ownNews, changes[node]);
        }

        /** Computes the part of a step that does not need the new change: next = [W̃y + ασz + α(m−1)δ]/(1+ασ). */
        private void mix(int source, long time) {
            double[][] y = lookahead[(int) (time & 1)];
            double[] here = y[source];
            double[] position = z[source];
            LaplacianRow around = shared.around()[source];
            double[][] there = new double[around.neighbours().length][];
            for (int k = 0; k < there.length; k++) {
                there[k] = y[around.neighbours()[k]];
            }
            around.laplacian(here, there, laplacian);
            double shrink = shrink(source);
            double pull = step * shared.sigmas()[source];
            double mixing = shared.parameters().mixing() / 2;
            for (int c = 0; c < next.length; c++) {
                next[c] = shrink * (here[c] - mixing * laplacian[c] + pull * position[c]);
            }
            double weight = time == 0 ? -1 : shared.samples()[source] - 1;
            Entries.add(changes[source], 0, shrink * step * weight, next);
        }

        private double shrink(int source) {
            return 1 / (1 + step * shared.sigmas()[source]);
        }

        /** Finds the slope s at the margin of the new point, z = next − αm(s − s_old)x/(1+ασ); row = (s − s_old)x. */
        private void resolve(int sample) {
            double scale = step * samples.count() * shrink(node);
            double weight = samples.weight(sample);
            double squaredNorm = samples.squaredNorm(sample);
            double point = samples.dot(sample, next) + scale * slopes[sample] * squaredNorm;
            double slope = weight
                    * samples.loss().proxSlope(point, scale * weight * squaredNorm, samples.label(sample), point);
            Arrays.fill(row, 0);
            samples.add(sample, slope - slopes[sample], row);
            slopes[sample] = slope;
        }

        private void finish(int source, long time, double[] change, int start) {
            Entries.add(change, start, -shrink(source) * step * shared.samples()[source], next);
            double[] position = z[source];
            double[] y = lookahead[(int) ((time + 1) & 1)][source];
            for (int c = 0; c < next.length; c++) {
                y[c] = 2 * next[c] - position[c];
                position[c] = next[c];
            }
        }

        @Override
        public void estimate(double[] theta) {
            Vectors.copy(z[node], theta);
        }
    }
}
