package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.lab.variant.Algorithm;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/**
 * Every method against its recursion as its paper writes it, with whole matrices: row i is node i, the graph is its
 * Laplacian as a matrix, tables hold vectors. Only the parameters and the random draws are the method's own.
 */
class LiteralReferenceTest extends LiteralSetting {

    @Test
    void msdaIsItsRecursion() {
        double gap = gossip.gap();
        int rounds = (int) Math.floor(1 / Math.sqrt(gap));
        assertThat(rounds).isGreaterThan(1);
        double c1 = (1 - Math.sqrt(gap)) / (1 + Math.sqrt(gap));
        double c2 = (1 + gap) / (1 - gap);
        double c3 = 2 / ((1 + gap) * gossip.largest());
        double power = Math.pow(c1, rounds);
        double convexity = facts.smallestSigma();
        double root = Math.sqrt(facts.largestBatchSmoothness() / convexity);
        double eta = convexity * (1 + power * power) / ((1 + power) * (1 + power));
        double momentum = ((1 + power) * root - 1 + power) / ((1 + power) * root + 1 - power);
        List<Matrix> actual = estimates(new Msda(0), rounds * STEPS);
        Matrix x = new Matrix(n, d);
        Matrix y = x;
        for (int t = 0; t < STEPS; t++) {
            Matrix theta = conjugateGradients(x);
            Matrix next = x.minus(accelerated(theta, rounds, c2, c3).scale(eta));
            x = next.scale(1 + momentum).minus(y.scale(momentum));
            y = next;
            assertSame(actual.get(rounds * t + rounds - 1), theta, t);
        }
    }

    /** Scaman et al.'s procedure AcceleratedGossip. */
    private Matrix accelerated(Matrix v, int rounds, double c2, double c3) {
        double before = 1;
        double now = c2;
        Matrix zBefore = v;
        Matrix z = v.minus(laplacian.mult(v).scale(c3)).scale(c2);
        for (int k = 1; k < rounds; k++) {
            double next = 2 * c2 * now - before;
            Matrix zNext = z.minus(laplacian.mult(z).scale(c3)).scale(2 * c2).minus(zBefore);
            before = now;
            now = next;
            zBefore = z;
            z = zNext;
        }
        return v.minus(z.over(now));
    }

    @Test
    void opapcIsItsRecursion() {
        double gap = gossip.gap();
        int rounds = (int) Math.ceil(1 / Math.sqrt(gap));
        double c1 = (1 - Math.sqrt(gap)) / (1 + Math.sqrt(gap));
        double c2 = (1 + gap) / (1 - gap);
        double c3 = 2 / ((1 + gap) * gossip.largest());
        double power = Math.pow(c1, rounds);
        double off = 2 * power / (1 + power * power);
        double chi = (1 + off) / (1 - off);
        double mu = facts.smallestSigma();
        double smoothness = facts.largestBatchSmoothness();
        double tau = Math.min(1, 0.5 * Math.sqrt(chi * mu / smoothness));
        double eta = 1 / (4 * tau * smoothness);
        double theta = 1 / (eta * (1 + off));
        List<Matrix> actual = estimates(new Opapc(), rounds * STEPS);
        Matrix x = new Matrix(n, d);
        Matrix xf = x;
        Matrix y = x;
        for (int t = 0; t < STEPS; t++) {
            Matrix xg = x.scale(tau).plus(xf.scale(1 - tau));
            Matrix g = gradients(xg).minus(xg.scale(mu));
            Matrix half = x.minus(g.plus(y).scale(eta)).over(1 + eta * mu);
            y = y.plus(accelerated(half, rounds, c2, c3).scale(theta));
            Matrix next = x.minus(g.plus(y).scale(eta)).over(1 + eta * mu);
            xf = xg.plus(next.minus(x).scale(2 * tau / (2 - tau)));
            x = next;
            assertSame(actual.get(rounds * t + rounds - 1), xf, t);
        }
    }

    @Test
    void esdacdIsItsRecursion() {
        Esdacd.Parameters parameters = Esdacd.Parameters.of(network, facts);
        WeightedDraw draw = new WeightedDraw(parameters.probabilities());
        UniformRandomProvider shared = Streams.shared(SEED);
        double rho = parameters.rate();
        Matrix x = new Matrix(n, d);
        Matrix v = x;
        List<List<Matrix>> expected = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            expected.add(new ArrayList<>());
        }
        for (int t = 0; t < 12 * STEPS; t++) {
            int edge = draw.draw(shared);
            int tail = network.tail(edge);
            int head = network.head(edge);
            Matrix y = x.plus(v.scale(rho)).over(1 + rho);
            Matrix atTail = conjugateGradient(tail, y.row(tail));
            Matrix atHead = conjugateGradient(head, y.row(head));
            expected.get(tail).add(atTail);
            expected.get(head).add(atHead);
            double p = parameters.probabilities()[edge];
            Matrix h = atTail.minus(atHead).scale(-parameters.stepSize() / p * network.weight(edge));
            Matrix change = new Matrix(n, d);
            change.setRow(tail, h);
            change.setRow(head, h.scale(-1));
            x = y.plus(change.scale(rho * parameters.resistances()[edge] / p));
            v = v.scale(1 - rho).plus(y.scale(rho)).plus(change);
        }
        assertEstimates(new Esdacd(0), expected);
    }

    @Test
    void extraIsItsRecursion() {
        double alpha = 0.5 / facts.largestBatchSmoothness();
        Matrix w = identity.minus(laplacian.over(gossip.largest()));
        Matrix half = identity.plus(w).over(2);
        List<Matrix> actual = estimates(new Extra(), STEPS);
        Matrix before = new Matrix(n, d);
        Matrix x = w.mult(before).minus(gradients(before).scale(alpha));
        assertSame(actual.get(0), x, 0);
        for (int t = 1; t < STEPS; t++) {
            Matrix next = identity.plus(w)
                    .mult(x)
                    .minus(half.mult(before))
                    .minus(gradients(x).minus(gradients(before)).scale(alpha));
            before = x;
            x = next;
            assertSame(actual.get(t), x, t);
        }
    }

    @Test
    void nidsIsItsRecursion() {
        double[] smoothness = facts.batchSmoothness();
        Matrix steps = new Matrix(n, n);
        double longest = 0;
        for (int i = 0; i < n; i++) {
            steps.set(i, i, 1 / smoothness[i]);
            longest = Math.max(longest, 1 / smoothness[i]);
        }
        Matrix w = identity.minus(laplacian.scale(2 / gossip.largest()));
        Matrix mixing = identity.minus(steps.mult(identity.minus(w)).scale(1 / (2 * longest)));
        List<Matrix> actual = estimates(new Nids(), STEPS);
        Matrix before = new Matrix(n, d);
        Matrix x = before.minus(steps.mult(gradients(before)));
        for (int t = 0; t < STEPS; t++) {
            Matrix change = steps.mult(gradients(x).minus(gradients(before)));
            Matrix next = mixing.mult(x.scale(2).minus(before).minus(change));
            before = x;
            x = next;
            assertSame(actual.get(t), x, t);
        }
    }

    @Test
    void dsbaIsItsRecursion() {
        assertDsba(new Dsba());
    }

    @Test
    void dsbaWithSparseCommunicationIsTheSameRecursion() {
        assertDsba(new DsbaSparse());
    }

    private void assertDsba(Algorithm method) {
        double alpha = 1 / (4 * facts.largestScaledSmoothness());
        Matrix w = identity.minus(laplacian.scale(0.9 / gossip.largest()));
        Matrix half = identity.plus(w).over(2);
        List<Matrix> actual = estimates(method, STEPS);
        List<UniformRandomProvider> streams = ownStreams();
        Matrix z = new Matrix(n, d);
        Matrix before = z;
        Matrix[][] table = table(z);
        Matrix delta = new Matrix(n, d);
        for (int t = 0; t < STEPS; t++) {
            Matrix mixed = t == 0 ? w.mult(z) : half.mult(z.scale(2).minus(before));
            Matrix next = new Matrix(n, d);
            for (int i = 0; i < n; i++) {
                int m = samples(i);
                int j = WeightedDraw.uniform(streams.get(i), m);
                Matrix psi = mixed.row(i).plus(table[i][j].scale(alpha));
                psi = t == 0
                        ? psi.minus(mean(table[i]).scale(alpha))
                        : psi.plus(delta.row(i).scale(alpha * (1 - 1.0 / m)))
                                .plus(z.row(i).scale(alpha * sigma(i)));
                Matrix point = resolvent(i, j, alpha, m, sigma(i), psi);
                Matrix value = sampleGradient(i, j, point).scale(m);
                delta.setRow(i, value.minus(table[i][j]));
                table[i][j] = value;
                next.setRow(i, point);
            }
            before = z;
            z = next;
            assertSame(actual.get(t), z, t);
        }
    }

    @Test
    void gtSagaIsItsRecursion() {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, samples(i) * facts.largestSmoothness()[i] + sigma(i));
        }
        double alpha = 1 / (3 * largest);
        Matrix w = identity.minus(laplacian.over(gossip.largest()));
        List<Matrix> actual = estimates(new GtSaga(), STEPS);
        List<UniformRandomProvider> streams = ownStreams();
        Matrix x = new Matrix(n, d);
        Matrix[][] table = table(x);
        Matrix g = gradients(x);
        Matrix y = g;
        for (int t = 0; t < STEPS; t++) {
            Matrix next = w.mult(x).minus(y.scale(alpha));
            Matrix estimate = new Matrix(n, d);
            for (int i = 0; i < n; i++) {
                int j = WeightedDraw.uniform(streams.get(i), samples(i));
                Matrix point = next.row(i);
                Matrix value = sampleGradient(i, j, point).scale(samples(i));
                estimate.setRow(i, value.minus(table[i][j]).plus(mean(table[i])).plus(point.scale(sigma(i))));
                table[i][j] = value;
            }
            x = next;
            y = w.mult(y).plus(estimate).minus(g);
            g = estimate;
            assertSame(actual.get(t), x, t);
        }
    }

    @Test
    void pointSagaIsItsRecursion() {
        int total = (int) problem.samples();
        double largest = 0;
        for (double smoothness : facts.largestSmoothness()) {
            largest = Math.max(largest, smoothness);
        }
        PointSaga.Parameters parameters = PointSaga.Parameters.of(total, problem.totalSigma(), largest);
        double step = parameters.stepSize();
        int[] node = new int[total];
        int[] sample = new int[total];
        for (int i = 0, k = 0; i < n; i++) {
            for (int j = 0; j < samples(i); j++, k++) {
                node[k] = i;
                sample[k] = j;
            }
        }
        List<Matrix> actual = new ArrayList<>();
        List<? extends EstimatingProgram> programs = new PointSaga().programs(problem, network, 5, SEED);
        UniformRandomProvider stream = Streams.own(SEED, 0);
        Matrix theta = new Matrix(1, d);
        Matrix[] table = new Matrix[total];
        java.util.Arrays.fill(table, theta);
        int perPause = Math.max(1, total / 10);
        for (int t = 0; t < STEPS; t++) {
            for (int k = 0; k < perPause; k++) {
                int j = WeightedDraw.uniform(stream, total);
                Matrix z = theta.plus(table[j].minus(mean(table)).scale(step));
                theta = resolvent(node[j], sample[j], step, 1, parameters.convexity(), z);
                table[j] = sampleGradient(node[j], sample[j], theta);
            }
            programs.get(0).advance();
            programs.get(0).absorb(new double[0][]);
            actual.add(estimates(programs));
            for (int i = 0; i < n; i++) {
                assertSame(actual.get(t).row(i), theta, t);
            }
        }
    }

    @Test
    void mudagIsItsRecursion() {
        double smooth = 0;
        double mu = 0;
        for (int i = 0; i < n; i++) {
            smooth += facts.batchSmoothness()[i] / n;
            mu += sigma(i) / n;
        }
        double alpha = Math.sqrt(mu / smooth);
        int rounds = Mudag.Parameters.of(gossip, facts, 1).gossip().rounds();
        List<Matrix> actual = estimates(new Mudag(), (2 * STEPS - 1) * rounds);
        Matrix x = new Matrix(n, d);
        Matrix y = x;
        Matrix s = gradients(y);
        for (int t = 0; t < STEPS; t++) {
            Matrix next = fastMix(y.minus(s.over(smooth)), rounds);
            Matrix ahead = next.plus(next.minus(x).scale((1 - alpha) / (1 + alpha)));
            s = fastMix(s.plus(gradients(ahead)).minus(gradients(y)), rounds);
            x = next;
            y = ahead;
            assertSame(actual.get((2 * t + 1) * rounds - 1), x, t);
        }
    }

    private Matrix fastMix(Matrix v, int rounds) {
        double second = 1 - gossip.gap();
        double root = Math.sqrt(1 - second * second);
        double eta = (1 - root) / (1 + root);
        Matrix w = identity.minus(laplacian.over(gossip.largest()));
        Matrix before = v;
        Matrix now = v;
        for (int k = 0; k < rounds; k++) {
            Matrix next = w.mult(now).scale(1 + eta).minus(before.scale(eta));
            before = now;
            now = next;
        }
        return now;
    }

    /** The upper and the lower half of what the paper stacks are two matrices here. */
    @Test
    void ogtIsItsRecursion() {
        double mu = facts.smallestSigma();
        double smooth = facts.largestBatchSmoothness();
        double inertia = 1 / (1 + Math.sqrt(1 - Math.pow(1 - gossip.gap(), 2)));
        double p = 1 - Math.sqrt(inertia);
        double alpha = Math.sqrt(mu / (8 * smooth));
        double gamma = 2 * alpha * (1 + alpha);
        double eta = p / (2 * gamma * smooth);
        double beta = mu * eta / 2;
        Matrix w = identity.minus(laplacian.over(gossip.largest())).scale(1 + inertia);
        UniformRandomProvider coins = Streams.shared(SEED);
        List<Matrix> actual = estimates(new Ogt(), STEPS);
        Matrix y = new Matrix(n, d);
        Matrix z = y;
        Matrix lowerZ = y;
        Matrix u = y;
        Matrix lowerU = y;
        Matrix q = y;
        Matrix g = gradients(q);
        Matrix lowerG = g;
        int renewed = 0;
        for (int t = 0; t < STEPS; t++) {
            Matrix x = y.scale(0.5 - alpha).plus(z.scale(alpha)).plus(u.scale(0.5));
            double zeta = (coins.nextLong() >>> 11) * 0x1p-53 < p ? 1 / p : 0;
            boolean xi = (coins.nextLong() >>> 11) * 0x1p-53 < p;
            Matrix direction = gradients(x).minus(gradients(q)).scale(zeta).plus(g);
            Matrix move = x.scale(beta).minus(direction.scale(eta));
            Matrix upper = z.plus(move);
            Matrix nextZ = w.mult(upper).minus(lowerZ.plus(move).scale(inertia)).over(1 + beta);
            lowerZ = upper.over(1 + beta);
            y = x.plus(nextZ.minus(z).scale(gamma));
            z = nextZ;
            Matrix from = xi ? x : u;
            u = w.mult(from).minus((xi ? x : lowerU).scale(inertia));
            lowerU = from;
            Matrix change = xi ? gradients(x).minus(gradients(q)) : new Matrix(n, d);
            Matrix nextG = w.mult(g).minus(lowerG.scale(inertia)).plus(change);
            lowerG = g.plus(change);
            g = nextG;
            q = xi ? x : q;
            renewed += xi ? 1 : 0;
            assertSame(actual.get(t), y, t);
        }
        assertThat(renewed).isBetween(3, STEPS - 3);
    }

    @Test
    void accVrExtraIsItsRecursion() {
        assertAccVr(AccVr.extra(), true);
    }

    @Test
    void accVrDigingIsItsRecursion() {
        assertAccVr(AccVr.diging(), false);
    }

    /** The literal recursion: with DIGing λ itself and W², with EXTRA Uλ, since its U is a root. */
    private void assertAccVr(AccVr method, boolean extra) {
        double gap = gossip.gap();
        int rounds = (int) Math.ceil(1 / Math.sqrt(gap));
        double c1 = Math.pow((1 - Math.sqrt(gap)) / (1 + Math.sqrt(gap)), rounds);
        double largest = 1 + 2 * c1 / (1 + c1 * c1);
        double smallest = 2 - largest;
        double c2 = (1 + gap) / (1 - gap);
        double c3 = 2 / ((1 + gap) * gossip.largest());
        double scale = (extra ? 0.5 : 1 - 1 / Math.sqrt(2)) / largest;
        Matrix p = accelerated(identity, rounds, c2, c3).scale(scale);
        Matrix w = identity.minus(p);
        Matrix v2 = extra ? p : identity.minus(w.mult(w));
        double kappa = 1 / (extra ? scale * smallest : Math.pow(scale * smallest, 2));

        double mu = facts.smallestSigma();
        double smooth = facts.largestBatchSmoothness();
        double sums = 0;
        int most = 0;
        double[] sum = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < samples(i); j++) {
                sum[i] += 0.25 * row(i, j).dot(row(i, j));
            }
            sums = Math.max(sums, sum[i]);
            most = Math.max(most, samples(i));
        }
        int b = (int) Math.ceil(Math.max(Math.sqrt(most * sums / smooth), most * Math.sqrt(mu / (kappa * smooth))));
        double alpha = 1 / (10 * smooth);
        double theta1 = Math.min(1, Math.sqrt(kappa * mu / smooth)) / 2;
        double theta2 = sums / (2 * smooth * b);

        List<UniformRandomProvider> own = ownStreams();
        UniformRandomProvider coin = Streams.shared(SEED);
        List<Matrix> actual = estimates(method, rounds * STEPS);
        Matrix x = new Matrix(n, d);
        Matrix z = x;
        Matrix snapshot = x;
        Matrix lambda = x;
        for (int t = 0; t < STEPS; t++) {
            if (t > 0 && (coin.nextLong() >>> 11) * 0x1p-53 < (double) b / most) {
                snapshot = x;
            }
            Matrix y = z.scale(theta1).plus(snapshot.scale(theta2)).plus(x.scale(1 - theta1 - theta2));
            Matrix s = new Matrix(n, d);
            for (int i = 0; i < n; i++) {
                Matrix mean = new Matrix(1, d);
                double[] weights = new double[samples(i)];
                for (int j = 0; j < weights.length; j++) {
                    mean = mean.plus(sampleGradient(i, j, snapshot.row(i)));
                    weights[j] = 0.25 * row(i, j).dot(row(i, j)) / sum[i];
                }
                WeightedDraw draw = new WeightedDraw(weights);
                for (int k = 0; k < b; k++) {
                    int j = draw.draw(own.get(i));
                    Matrix change = sampleGradient(i, j, y.row(i)).minus(sampleGradient(i, j, snapshot.row(i)));
                    mean = mean.plus(change.over(b * weights[j]));
                }
                s.setRow(i, mean.plus(y.row(i).scale(sigma(i))));
            }
            Matrix dual = extra ? lambda : p.mult(lambda);
            Matrix next = z.plus(y.scale(mu * alpha / theta1))
                    .minus(s.scale(alpha)
                            .plus(dual)
                            .plus(v2.mult(z).scale(theta1))
                            .over(theta1))
                    .over(1 + mu * alpha / theta1);
            lambda = lambda.plus(p.mult(next).scale(theta1));
            x = y.plus(next.minus(z).scale(theta1));
            z = next;
            assertSame(actual.get(rounds * t + rounds - 1), x, t);
        }
    }

    @Test
    void dvrIsItsRecursion() {
        assertDvr(new Dvr(false), Dvr.Parameters.plain(network, gossip, facts), STEPS, 1, theta -> theta);
    }

    @Test
    void dvrWithChebyshevGossipIsItsRecursion() {
        assertDvr(new Dvr(true), Dvr.Parameters.chebyshev(network, gossip, facts), STEPS, 1, theta -> theta);
    }

    /** A run solves for ∇f_i + β_i(θ − y_i), so (σ_i+β_i)θ_i − β_iy_i is what a new y_i leaves as it is. */
    @Test
    void dvrWithCatalystIsItsRecursion() {
        double ridge = 0;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < samples(i); j++) {
                sum += 0.25 * row(i, j).dot(row(i, j));
            }
            ridge = Math.max(ridge, sum / (samples(i) * sigma(i)));
        }
        assertThat(ridge).isGreaterThan(1.1);
        double root = Math.sqrt(1 / ridge);
        DvrCatalyst.Parameters parameters = DvrCatalyst.Parameters.of("test", problem, network, 1);
        Matrix beta = new Matrix(n, n);
        Matrix whole = new Matrix(n, n);
        Matrix inverse = new Matrix(n, n);
        for (int i = 0; i < n; i++) {
            beta.set(i, i, (ridge - 1) * sigma(i));
            whole.set(i, i, ridge * sigma(i));
            inverse.set(i, i, 1 / (ridge * sigma(i)));
        }
        Matrix[] iterates = {new Matrix(n, d), new Matrix(n, d)};
        long[] steps = new long[1];
        UnaryOperator<Matrix> outer = theta -> {
            if (++steps[0] % parameters.run() != 0) {
                return theta;
            }
            Matrix rest = whole.mult(theta).minus(beta.mult(iterates[1]));
            iterates[1] = theta.plus(theta.minus(iterates[0]).scale((1 - root) / (1 + root)));
            iterates[0] = theta;
            return inverse.mult(rest.plus(beta.mult(iterates[1])));
        };
        assertDvr(new DvrCatalyst(), parameters.inner(), 10 * STEPS, ridge, outer);
        assertThat(steps[0]).isGreaterThan(3 * parameters.run());
    }

    /** The literal DVR, of σ_i times a ridge: W as a matrix, z_ij as vectors, α, η and p_ij from their definitions. */
    private void assertDvr(
            Algorithm method,
            Dvr.Parameters parameters,
            int communications,
            double ridge,
            UnaryOperator<Matrix> afterStep) {
        int rounds = parameters.gossip().rounds();
        double gap = gossip.gap();
        double c2 = (1 + gap) / (1 - gap);
        double c3 = 2 / ((1 + gap) * gossip.largest());
        double communicating = parameters.communicationProbability();
        double stepSize = parameters.communicationStep() * communicating;
        double alpha = 2 * parameters.rate() / stepSize;
        UniformRandomProvider shared = Streams.shared(SEED);
        List<UniformRandomProvider> own = ownStreams();
        List<WeightedDraw> draws = new ArrayList<>();
        double[][] probabilities = new double[n][];
        Matrix[][] z = new Matrix[n][];
        Matrix theta = new Matrix(n, d);
        for (int i = 0; i < n; i++) {
            double[] weights = new double[samples(i)];
            double sum = 0;
            z[i] = new Matrix[samples(i)];
            for (int j = 0; j < weights.length; j++) {
                Matrix x = row(i, j);
                weights[j] = 1 + 0.25 * x.dot(x) / (ridge * sigma(i));
                sum += weights[j];
                z[i][j] = x.scale(2 * label(i, j) / x.dot(x));
                Matrix start = sampleGradient(i, j, z[i][j]).over(-ridge * sigma(i));
                theta.setRow(i, theta.row(i).plus(start));
            }
            draws.add(new WeightedDraw(weights));
            probabilities[i] = weights;
            for (int j = 0; j < weights.length; j++) {
                probabilities[i][j] *= (1 - communicating) / sum;
                double rate = alpha * stepSize / probabilities[i][j];
                assertThat(rate).isBetween(0.0, 1 + 1e-12);
            }
        }
        List<Matrix> expected = new ArrayList<>();
        Matrix inverseSigma = new Matrix(n, n);
        for (int i = 0; i < n; i++) {
            inverseSigma.set(i, i, 1 / (ridge * sigma(i)));
        }
        for (int round = 0; round < communications; round++) {
            double uniform = (1 + (shared.nextLong() >>> 11)) * 0x1p-53;
            long computations = (long) (StrictMath.log(uniform) / StrictMath.log1p(-communicating));
            for (long k = 0; k < computations; k++) {
                for (int i = 0; i < n; i++) {
                    int j = draws.get(i).draw(own.get(i));
                    double rate = alpha * stepSize / probabilities[i][j];
                    Matrix point = theta.row(i);
                    Matrix moved = z[i][j].scale(1 - rate).plus(point.scale(rate));
                    Matrix change = sampleGradient(i, j, moved).minus(sampleGradient(i, j, z[i][j]));
                    z[i][j] = moved;
                    theta.setRow(i, point.minus(change.over(ridge * sigma(i))));
                }
                theta = afterStep.apply(theta);
            }
            Matrix mixed = accelerated(theta, rounds, c2, c3);
            theta = afterStep.apply(theta.minus(inverseSigma.mult(mixed).scale(stepSize / communicating)));
            expected.add(theta.scale(1));
        }
        List<Matrix> actual = estimates(method, rounds * communications);
        for (int round = 0; round < communications; round++) {
            assertSame(actual.get(rounds * round + rounds - 1), expected.get(round), round);
        }
    }

    private List<UniformRandomProvider> ownStreams() {
        List<UniformRandomProvider> streams = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            streams.add(Streams.own(SEED, i));
        }
        return streams;
    }

    private Matrix[][] table(Matrix thetas) {
        Matrix[][] table = new Matrix[n][];
        for (int i = 0; i < n; i++) {
            table[i] = new Matrix[samples(i)];
            for (int j = 0; j < table[i].length; j++) {
                table[i][j] = sampleGradient(i, j, thetas.row(i)).scale(samples(i));
            }
        }
        return table;
    }

    private static Matrix mean(Matrix[] table) {
        Matrix sum = table[0];
        for (int j = 1; j < table.length; j++) {
            sum = sum.plus(table[j]);
        }
        return sum.over(table.length);
    }
}
