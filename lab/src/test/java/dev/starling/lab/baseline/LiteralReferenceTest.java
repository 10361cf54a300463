package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.lab.baseline.dual.Esdacd;
import dev.starling.lab.baseline.dual.Msda;
import dev.starling.lab.baseline.dual.PointSaga;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.lab.variant.Algorithm;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Streams;
import java.util.ArrayList;
import java.util.List;
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
        List<Matrix> actual = estimates(Baseline.plain("msda", "", on -> Msda.programs(on, 0)), rounds * STEPS);
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
        assertEstimates(Baseline.plain("esdacd", "", on -> Esdacd.programs(on, 0)), expected);
    }

    @Test
    void extraIsItsRecursion() {
        double alpha = 0.5 / facts.largestBatchSmoothness();
        Matrix w = identity.minus(laplacian.over(gossip.largest()));
        Matrix half = identity.plus(w).over(2);
        List<Matrix> actual = estimates(Baselines.named("extra"), STEPS);
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
        List<Matrix> actual = estimates(Baselines.named("nids"), STEPS);
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
        assertDsba(Baselines.named("dsba"));
    }

    @Test
    void dsbaWithSparseCommunicationIsTheSameRecursion() {
        assertDsba(Baselines.named("dsba-sparse"));
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
        List<Matrix> actual = estimates(Baselines.named("gt-saga"), STEPS);
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
        List<? extends EstimatingProgram> programs =
                Baselines.named("point-saga").programs(problem, network, 5, SEED);
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
