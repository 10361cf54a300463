package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.lab.baseline.gossip.Mudag;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.lab.baseline.similarity.Sonata;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.variant.Algorithm;
import dev.starling.node.Streams;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As {@link LiteralReferenceTest}, for the accelerated methods that take gradients, not conjugates. */
class LiteralAcceleratedTest extends LiteralSetting {

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
        List<Matrix> actual = estimates(Baselines.named("opapc"), rounds * STEPS);
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
    void mudagIsItsRecursion() {
        double smooth = 0;
        double mu = 0;
        for (int i = 0; i < n; i++) {
            smooth += facts.batchSmoothness()[i] / n;
            mu += sigma(i) / n;
        }
        double alpha = Math.sqrt(mu / smooth);
        int rounds = Mudag.Parameters.of(gossip, facts, 1).gossip().rounds();
        List<Matrix> actual = estimates(Baselines.named("mudag"), (2 * STEPS - 1) * rounds);
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

    /** Catalyst's runs are written as a loop of their own, with gradients of the whole function of a run. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sonataIsItsRecursion(boolean accelerated) {
        Setting on = new Setting("test", 1, problem, network, EdgeSampling.all(network), 5, SEED);
        Sonata.Parameters parameters = Sonata.Parameters.of(on, accelerated);
        double q = parameters.proximity();
        double b = parameters.ridge();
        int rounds = parameters.gossip().rounds();
        assertThat(b > 0).isEqualTo(accelerated);
        int steps = accelerated ? (int) parameters.run() * 3 : 12;
        List<Matrix> actual =
                estimates(Baseline.plain("test", "", of -> Sonata.programs(of, accelerated, 0)), steps * rounds);
        double mu = problem.totalSigma() / n;
        double alpha = Math.sqrt(mu / (mu + b));
        Matrix y = new Matrix(n, d);
        Matrix centre = y;
        Matrix last = y;
        Matrix s = gradients(y);
        for (int t = 0; t < steps; t++) {
            Matrix slopes = gradients(y).plus(y.minus(centre).scale(b));
            Matrix x = new Matrix(n, d);
            for (int i = 0; i < n; i++) {
                Matrix target = slopes.row(i)
                        .minus(s.row(i))
                        .plus(y.row(i).scale(q))
                        .plus(centre.row(i).scale(b));
                x.setRow(i, conjugateGradient(i, target, sigma(i) + q + b));
            }
            y = fastMix(x, rounds);
            s = fastMix(s, rounds);
            Matrix found = actual.get((t + 1) * rounds - 1);
            assertThat(found.minus(y).largest()).as("step %d", t).isCloseTo(0, within(1e-9));
            if (accelerated && (t + 1) % parameters.run() == 0) {
                centre = y.plus(y.minus(last).scale((1 - alpha) / (1 + alpha)));
                last = y;
            }
            s = s.plus(gradients(y)).plus(y.minus(centre).scale(b)).minus(slopes);
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
        List<Matrix> actual = estimates(Baselines.named("ogt"), STEPS);
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
        assertAccVr(Baselines.named("acc-vr-extra"), true);
    }

    @Test
    void accVrDigingIsItsRecursion() {
        assertAccVr(Baselines.named("acc-vr-diging"), false);
    }

    /** The literal recursion: with DIGing λ itself and W², with EXTRA Uλ, since its U is a root. */
    private void assertAccVr(Algorithm method, boolean extra) {
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
}
