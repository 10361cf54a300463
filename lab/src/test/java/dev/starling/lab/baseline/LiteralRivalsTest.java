package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.starling.lab.baseline.curvature.NetworkGiant;
import dev.starling.lab.baseline.dual.Cola;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.conversation.EffectiveResistance;
import dev.starling.method.adfs.draws.AliasTable;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.Streams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.rng.RestorableUniformRandomProvider;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rivals of recent years against their recursions, with constants written out as their theorems have them. */
class LiteralRivalsTest extends LiteralSetting {

    private final double smoothness = facts.largestBatchSmoothness();
    private final double convexity = facts.smallestSigma();
    private final double gap = gossip.smallest() / gossip.largest();

    @Test
    void proxSkipIsItsRecursion() {
        Matrix w = identity.minus(laplacian.over(gossip.largest()));
        double gamma = 1 / smoothness;
        double p = Math.sqrt(convexity / smoothness / gap);
        assertThat(p).isBetween(0.1, 0.95);
        List<Matrix> actual = estimates(Baselines.named("proxskip"), STEPS);
        UniformRandomProvider coin = Streams.shared(SEED);
        Matrix x = new Matrix(n, d);
        Matrix h = x;
        int communications = 0;
        while (communications < STEPS) {
            Matrix local = x.minus(gradients(x).minus(h).scale(gamma));
            if (coin.nextDouble() < p) {
                x = w.mult(local);
                h = h.plus(x.minus(local).scale(p / gamma));
                assertSame(actual.get(communications), x, communications);
                communications++;
            } else {
                x = local;
            }
        }
    }

    static Stream<EdgeSampling> rounds() {
        Network network = new LiteralRivalsTest().network;
        return Stream.of(
                EdgeSampling.all(network),
                EdgeSampling.independent(0.6),
                EdgeSampling.matchings(network),
                EdgeSampling.pairs(network));
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void adomPlusIsItsRecursion(EdgeSampling rounds) {
        assertAdom(rounds, false);
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void adomPlusWithVarianceReductionIsItsRecursion(EdgeSampling rounds) {
        assertAdom(rounds, true);
    }

    private void assertAdom(EdgeSampling rounds, boolean sampled) {
        List<Matrix> expectations = new ArrayList<>();
        List<Double> chances = rounds.probabilities(network, facts.sigmas());
        for (List<Integer> group : rounds.groups()) {
            expectations.add(gossipMatrix(group).scale(chances.get(expectations.size())));
        }
        Matrix expectation = expectations.stream()
                .reduce(Matrix::plus)
                .orElseGet(() -> laplacian.over(gossip.largest()).scale(0.6));
        double chi = 1 / smallestEigenvalue(expectation);
        UniformRandomProvider stream = Streams.edges(SEED);
        double smoothness = sampled ? sampledSmoothness() : this.smoothness;
        double most = facts.mostSamples();
        double root = Math.sqrt(convexity / smoothness);
        int b = (int) Math.ceil(Math.max(Math.sqrt(most), most * root));
        double tau0 = sampled ? 1 / (2.0 * b) : 0;
        double tau2 = sampled ? Math.min(0.5, Math.max(1, Math.sqrt(most) / b) * root) : root;
        double tau1 = (1 - tau0) / (1 / tau2 + 0.5);
        double eta = 1 / (smoothness * (tau2 + (sampled ? 2 * tau1 / (1 - tau1) : 0)));
        double big = most / b * (0.5 + 1 / (b * tau1));
        UniformRandomProvider coin = Streams.shared(SEED);
        List<UniformRandomProvider> own = ownStreams();
        double alpha = convexity / (sampled ? 4 : 2);
        double nu = alpha;
        double sigma2 = Math.sqrt(convexity) / (16 * chi * Math.sqrt(smoothness));
        double sigma1 = 1 / (1 / sigma2 + 0.5);
        double beta = 1 / (2 * smoothness);
        double theta = nu / (4 * sigma2);
        double gamma = nu / (14 * sigma2 * chi * chi);
        Matrix zero = new Matrix(n, d);
        Matrix x = zero;
        Matrix xf = zero;
        Matrix y = zero;
        Matrix yf = zero;
        Matrix z = zero;
        Matrix zf = zero;
        Matrix m = zero;
        Matrix old = zero;
        List<List<Matrix>> expected = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            expected.add(new ArrayList<>());
        }
        for (int t = 0; t < STEPS; t++) {
            Matrix w = drawn(rounds, chances, stream);
            Matrix xg = x.scale(tau1).plus(old.scale(tau0)).plus(xf.scale(1 - tau0 - tau1));
            Matrix yg = y.scale(sigma1).plus(yf.scale(1 - sigma1));
            Matrix zg = z.scale(sigma1).plus(zf.scale(1 - sigma1));
            Matrix slope = (sampled ? sampledGradients(xg, old, b, own) : gradients(xg)).minus(xg.scale(nu));
            double chance = sampled ? coin.nextDouble() : 1;
            old = chance < 1 / big ? xf : chance < 1 / big + 1 / (big * b * tau1) ? xg : old;
            // The two equations are solved by substituting the first into the second.
            Matrix known = x.plus(xg.scale(eta * alpha)).minus(slope.scale(eta)).over(1 + eta * alpha);
            Matrix yNext = y.plus(slope.scale(theta * beta))
                    .minus(yg.plus(zg).scale(theta / nu))
                    .minus(known.scale(theta))
                    .over(1 + theta * beta + theta * eta / (1 + eta * alpha));
            Matrix xNext = known.plus(yNext.scale(eta / (1 + eta * alpha)));
            Matrix v = yg.plus(zg).scale(gamma / nu).plus(m);
            xf = xg.plus(xNext.minus(x).scale(tau2));
            yf = yg.plus(yNext.minus(y).scale(sigma2));
            z = z.plus(zg.minus(z).scale(gamma / (17 * smoothness))).minus(w.mult(v));
            m = v.minus(w.mult(v));
            zf = zg.minus(w.mult(yg.plus(zg)).scale(sampled ? 0.25 : 0.5));
            x = xNext;
            y = yNext;
            for (int i = 0; i < n; i++) {
                expected.get(i).add(xf.row(i));
            }
        }
        assertEstimates(
                Baselines.named(sampled ? "adom-vr" : "adom-plus")
                        .programs(problem, network, rounds, Timing.even(5), SEED),
                expected);
    }

    private double sampleSmoothness(int node, int sample) {
        return 0.25 * row(node, sample).dot(row(node, sample));
    }

    private double smoothnessSum(int node) {
        return IntStream.range(0, samples(node))
                .mapToDouble(j -> sampleSmoothness(node, j))
                .sum();
    }

    private double sampledSmoothness() {
        return IntStream.range(0, n)
                .mapToDouble(i -> sigma(i) + smoothnessSum(i))
                .max()
                .orElseThrow();
    }

    /** ∇f(old) + the mean over b samples, drawn in proportion to their smoothness, of what they change by. */
    private Matrix sampledGradients(Matrix at, Matrix old, int b, List<UniformRandomProvider> own) {
        Matrix all = gradients(old);
        for (int i = 0; i < n; i++) {
            int node = i;
            double sum = smoothnessSum(i);
            WeightedDraw draw = new WeightedDraw(IntStream.range(0, samples(i))
                    .mapToDouble(j -> sampleSmoothness(node, j) / sum)
                    .toArray());
            Matrix estimate = all.row(i).plus(at.row(i).minus(old.row(i)).scale(sigma(i)));
            for (int k = 0; k < b; k++) {
                int j = draw.draw((RestorableUniformRandomProvider) own.get(i));
                Matrix change = sampleGradient(i, j, at.row(i)).minus(sampleGradient(i, j, old.row(i)));
                estimate = estimate.plus(change.scale(sum / sampleSmoothness(i, j) / b));
            }
            all.setRow(i, estimate);
        }
        return all;
    }

    /** Steps by line search, with weights on a matrix of edges. */
    @Test
    void adaptiveNidsIsItsRecursion() {
        double[] alpha = new double[n];
        Arrays.setAll(alpha, i -> 1 / sigma(i));
        Matrix x = new Matrix(n, d);
        Matrix dual = x;
        List<Matrix> actual = estimates(Baselines.named("adaptive-nids"), STEPS);
        for (int t = 0; t < STEPS; t++) {
            Matrix slopes = gradients(x);
            Matrix ahead = new Matrix(n, d);
            for (int i = 0; i < n; i++) {
                Matrix move;
                double excess;
                do {
                    move = slopes.row(i).plus(dual.row(i)).scale(-alpha[i]);
                    Matrix to = x.row(i).plus(move);
                    excess = value(i, to)
                            - value(i, x.row(i))
                            - slopes.row(i).dot(move)
                            - move.dot(move) / (2 * alpha[i]);
                    alpha[i] /= excess > 0 ? 2 : 1;
                } while (excess > 0);
                ahead.setRow(i, x.row(i).plus(move));
            }
            Matrix c = new Matrix(n, n);
            for (int e = 0; e < network.edges(); e++) {
                int a = network.tail(e);
                int b = network.head(e);
                int degree = Math.max(network.neighbours(a).length, network.neighbours(b).length);
                double weight = 1.0 / (1 + degree) / (2 * Math.max(alpha[a], alpha[b]));
                c.set(a, b, -weight);
                c.set(b, a, -weight);
                c.set(a, a, c.entry(a, a) + weight);
                c.set(b, b, c.entry(b, b) + weight);
            }
            Matrix pulled = c.mult(ahead);
            dual = dual.plus(pulled);
            for (int i = 0; i < n; i++) {
                x.setRow(i, ahead.row(i).minus(pulled.row(i).scale(alpha[i])));
            }
            assertSame(actual.get(t), x, t);
        }
        assertThat(alpha).doesNotContain(1 / sigma(0));
    }

    private double value(int node, Matrix theta) {
        double sum = sigma(node) / 2 * theta.dot(theta);
        for (int j = 0; j < samples(node); j++) {
            sum += StrictMath.log1p(
                    StrictMath.exp(-label(node, j) * row(node, j).dot(theta)));
        }
        return sum;
    }

    /** The Laplacian of some edges over its largest eigenvalue, which power iteration finds. */
    private Matrix gossipMatrix(List<Integer> edges) {
        Matrix some = laplacian(edges);
        return some.over(largestEigenvalue(some));
    }

    /** W of the next round: one of the groups, or edges that are each there with the same probability. */
    private Matrix drawn(EdgeSampling rounds, List<Double> chances, UniformRandomProvider stream) {
        if (rounds.groups().isEmpty()) {
            List<Integer> edges = new ArrayList<>();
            for (int e = 0; e < network.edges(); e++) {
                if (stream.nextDouble() < 0.6) {
                    edges.add(e);
                }
            }
            return laplacian(edges).over(gossip.largest());
        }
        int[] group = new int[1];
        new AliasTable(chances.size(), chances::get).draw(stream, group, 1);
        return gossipMatrix(rounds.groups().get(group[0]));
    }

    private double smallestEigenvalue(Matrix w) {
        // Zero belongs to the ones, which are moved out of the way.
        Matrix ones = new Matrix(n, n);
        for (int i = 0; i < n; i++) {
            ones.setRow(i, Matrix.ofRow(new double[] {1.0 / n, 1.0 / n, 1.0 / n, 1.0 / n, 1.0 / n, 1.0 / n}));
        }
        return 1 - largestEigenvalue(identity.minus(w).minus(ones));
    }

    private static double largestEigenvalue(Matrix symmetric) {
        Matrix v = Matrix.ofRow(new double[] {1, -2, 3, 0.5, -1.5, 0.7});
        for (int k = 0; k < 20_000; k++) {
            v = v.mult(symmetric);
            v = v.over(v.norm());
        }
        return v.mult(symmetric).dot(v);
    }

    /**
     * With a dual variable per sample, and the inner problem's condition for an optimum checked as the paper has it.
     */
    @Test
    void colaIsItsRecursion() {
        double total = problem.totalSigma();
        Matrix w = identity.minus(laplacian.over(gossip.largest()));
        List<Matrix> actual = estimates(Baseline.plain("cola", "", on -> Cola.programs(on, 0)), STEPS);
        double[][] alpha = new double[n][];
        for (int k = 0; k < n; k++) {
            alpha[k] = new double[samples(k)];
        }
        Matrix v = new Matrix(n, d);
        for (int t = 0; t < STEPS; t++) {
            Matrix mixed = w.mult(v);
            for (int k = 0; k < n; k++) {
                Matrix share = mixed.row(k).over(n).minus(weighted(k, alpha[k]));
                Matrix theta = conjugateGradient(k, share, total / n);
                double[] delta = new double[samples(k)];
                for (int j = 0; j < delta.length; j++) {
                    delta[j] = -slope(row(k, j).dot(theta), label(k, j)) - alpha[k][j];
                    alpha[k][j] += delta[j];
                }
                Matrix move = weighted(k, delta);
                Matrix ahead = mixed.row(k).plus(move.scale(n)).over(total);
                for (int j = 0; j < delta.length; j++) {
                    double p = alpha[k][j] * label(k, j);
                    double derivative = label(k, j) * StrictMath.log(p / (1 - p));
                    assertThat(row(k, j).dot(ahead) + derivative).isCloseTo(0, within(1e-12));
                }
                v.setRow(k, mixed.row(k).plus(move.scale(n)));
            }
            assertSame(actual.get(t), w.mult(v).over(total), t);
        }
    }

    /** Σ_j α_j x_j. */
    private Matrix weighted(int node, double[] alpha) {
        Matrix sum = new Matrix(1, d);
        for (int j = 0; j < alpha.length; j++) {
            sum = sum.plus(row(node, j).scale(alpha[j]));
        }
        return sum;
    }

    /** All nodes flow from every event to the next, by the series of the exponential in many small steps. */
    @Test
    void dadaoIsItsRecursion() {
        double nu = convexity / 2;
        double eta = Math.sqrt(nu / smoothness) / 8;
        double alpha = Math.sqrt(nu / smoothness) / 4;
        double theta = Math.sqrt(smoothness / nu) / 2;
        double[] resistances = EffectiveResistance.of(network);
        double largest = 0;
        for (int e = 0; e < resistances.length; e++) {
            largest = Math.max(largest, resistances[e] / network.weight(e));
        }
        double chi1 = 1 / gossip.smallest();
        double chi2 = largest / 2;
        double scale = Math.sqrt(2 * chi1 * chi2);
        double[] rates = new double[n + network.edges()];
        double intensity = 0;
        for (int k = 0; k < rates.length; k++) {
            rates[k] = k < n ? 1 : scale * network.weight(k - n);
            intensity += rates[k];
        }
        Matrix flow = new Matrix(6, 6);
        flow.setRow(0, Matrix.ofRow(new double[] {-eta, eta, 0, 0, 0, 0}));
        flow.setRow(1, Matrix.ofRow(new double[] {eta, -eta, 0, 0, 0, 0}));
        flow.setRow(2, Matrix.ofRow(new double[] {0, 0, -alpha, alpha, 0, 0}));
        flow.setRow(3, Matrix.ofRow(new double[] {0, -theta * nu, -theta, 0, -theta, 0}));
        flow.setRow(4, Matrix.ofRow(new double[] {0, 0, 0, 0, -alpha, alpha}));
        flow.setRow(5, Matrix.ofRow(new double[] {0, 0, 0, 0, alpha / 2, -alpha / 2}));
        WeightedDraw draw = new WeightedDraw(rates);
        UniformRandomProvider shared = Streams.shared(SEED);
        List<Matrix> states = new ArrayList<>();
        List<List<Matrix>> expected = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            states.add(new Matrix(6, d));
            expected.add(new ArrayList<>());
        }
        for (int t = 0; t < 10 * STEPS; t++) {
            double uniform = (1 + (shared.nextLong() >>> 11)) * 0x1p-53;
            double span = -StrictMath.log(uniform) / intensity;
            states.replaceAll(state -> flowing(flow, span, state));
            int event = draw.draw(shared);
            if (event < n) {
                Matrix state = states.get(event);
                Matrix g = gradient(event, state.row(0))
                        .minus(state.row(0).scale(nu))
                        .minus(state.row(3));
                state.setRow(0, state.row(0).minus(g.over(4 * smoothness)));
                state.setRow(1, state.row(1).minus(g.over(4 * Math.sqrt(nu * smoothness))));
                state.setRow(3, state.row(3).plus(g.scale(alpha + 1)));
                expected.get(event).add(state.row(0));
            } else {
                int tail = network.tail(event - n);
                int head = network.head(event - n);
                Matrix h = sumOfYAndZ(states.get(tail)).minus(sumOfYAndZ(states.get(head)));
                double betaTilde = 2 * chi1 / scale * Math.sqrt(smoothness / nu);
                for (int end : new int[] {tail, head}) {
                    Matrix state = states.get(end);
                    double sign = end == tail ? 1 : -1;
                    state.setRow(4, state.row(4).minus(h.scale(sign / 2)));
                    state.setRow(5, state.row(5).minus(h.scale(sign * betaTilde)));
                    expected.get(end).add(state.row(0));
                }
            }
        }
        assertEstimates(Baselines.named("dadao"), expected);
    }

    private static Matrix sumOfYAndZ(Matrix state) {
        return state.row(2).plus(state.row(4));
    }

    private static Matrix flowing(Matrix flow, double span, Matrix state) {
        int pieces = 4;
        Matrix moved = state;
        for (int piece = 0; piece < pieces; piece++) {
            Matrix term = moved;
            for (int k = 1; k < 25; k++) {
                term = flow.mult(term).scale(span / pieces / k);
                moved = moved.plus(term);
            }
        }
        return moved;
    }

    /** No step is shortened here, and no eigenvalue projected; those have tests of their own. */
    @Test
    void fedNlIsItsRecursion() {
        Matrix x = new Matrix(1, d);
        List<Matrix> learned = new ArrayList<>();
        List<List<Matrix>> expected = new ArrayList<>();
        Matrix sum = new Matrix(d, d);
        for (int i = 0; i < n; i++) {
            learned.add(hessian(i, x));
            sum = sum.plus(learned.get(i));
            expected.add(new ArrayList<>(i == 0 ? List.of(x) : List.of(x, x)));
        }
        for (int t = 0; t < 8; t++) {
            Matrix gradient = new Matrix(1, d);
            Matrix change = new Matrix(d, d);
            for (int i = 0; i < n; i++) {
                gradient = gradient.plus(gradient(i, x));
                Matrix lesson = top(d, hessian(i, x).minus(learned.get(i)));
                learned.set(i, learned.get(i).plus(lesson));
                change = change.plus(lesson);
            }
            Matrix next = x.minus(sum.solve(gradient));
            sum = sum.plus(change);
            for (int i = 0; i < n; i++) {
                // A node other than the root is seen when it begins to wait for the sums, and when it hears of them.
                expected.get(i).addAll(i == 0 ? List.of(next) : List.of(x, next));
            }
            x = next;
        }
        assertEstimates(Baselines.named("fednl"), expected);
    }

    private Matrix hessian(int node, Matrix theta) {
        Matrix hessian = Matrix.identity(d).scale(sigma(node));
        for (int j = 0; j < samples(node); j++) {
            Matrix x = row(node, j);
            double p = 1 / (1 + StrictMath.exp(x.dot(theta)));
            hessian = hessian.plus(x.transpose().mult(x).scale(p * (1 - p)));
        }
        return hessian;
    }

    /** The entries on and below the diagonal, with those they mirror, that take most from the Frobenius norm. */
    private static Matrix top(int most, Matrix matrix) {
        int size = matrix.rows();
        List<Matrix> parts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            for (int k = 0; k <= i; k++) {
                Matrix part = new Matrix(size, size);
                part.set(i, k, matrix.entry(i, k));
                part.set(k, i, matrix.entry(k, i));
                parts.add(part);
            }
        }
        parts.sort(Comparator.comparingDouble(part -> -part.norm()));
        return parts.subList(0, most).stream().reduce(Matrix::plus).orElseThrow();
    }

    @Test
    void networkGiantIsItsRecursion() {
        Matrix w = identity.minus(laplacian.over(gossip.largest()));
        double zeta = NetworkGiant.heterogeneity(
                problem.nodes().stream().map(NetworkGiant.Curved::atZero).toList());
        assertThat(zeta).isCloseTo(heterogeneity(), withinPercentage(0.1));
        double epsilon = (1 - Math.sqrt(1 - gap)) / zeta;
        List<Matrix> actual = estimates(Baselines.named("network-giant"), STEPS);
        Matrix x = new Matrix(n, d);
        Matrix s = gradients(x);
        for (int t = 0; t < STEPS; t++) {
            Matrix direction = new Matrix(n, d);
            for (int i = 0; i < n; i++) {
                direction.setRow(i, hessian(i, x.row(i)).solve(s.row(i)));
            }
            Matrix next = w.mult(x.minus(direction.scale(epsilon)));
            s = w.mult(s).plus(gradients(next)).minus(gradients(x));
            x = next;
            assertSame(actual.get(t), x, t);
        }
    }

    /** The largest eigenvalue of the mean of the Hessians at zero times the mean of their inverses. */
    private double heterogeneity() {
        Matrix zero = new Matrix(1, d);
        Matrix mean = new Matrix(d, d);
        Matrix inverse = new Matrix(d, d);
        for (int i = 0; i < n; i++) {
            mean = mean.plus(hessian(i, zero).over(n));
            for (int k = 0; k < d; k++) {
                Matrix column = hessian(i, zero).solve(Matrix.identity(d).row(k));
                inverse.setRow(k, inverse.row(k).plus(column.over(n)));
            }
        }
        Matrix v = Matrix.ofRow(new double[] {1, 2, 3});
        for (int k = 0; k < 10_000; k++) {
            v = v.mult(mean).mult(inverse);
            v = v.over(v.norm());
        }
        return v.mult(mean).mult(inverse).norm();
    }
}
