package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.node.Streams;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

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
        List<Matrix> actual = estimates(new ProxSkip(), STEPS);
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

    @Test
    void adomPlusIsItsRecursion() {
        double chi = 1 / gap;
        double tau2 = Math.sqrt(convexity / smoothness);
        double tau1 = 1 / (1 / tau2 + 0.5);
        double eta = 1 / (smoothness * tau2);
        double alpha = convexity / 2;
        double nu = convexity / 2;
        double sigma2 = Math.sqrt(convexity) / (16 * chi * Math.sqrt(smoothness));
        double sigma1 = 1 / (1 / sigma2 + 0.5);
        double beta = 1 / (2 * smoothness);
        double theta = nu / (4 * sigma2);
        double gamma = nu / (14 * sigma2 * chi * chi);
        Matrix w = laplacian.over(gossip.largest());
        List<Matrix> actual = estimates(new AdomPlus(), STEPS);
        Matrix zero = new Matrix(n, d);
        Matrix x = zero;
        Matrix xf = zero;
        Matrix y = zero;
        Matrix yf = zero;
        Matrix z = zero;
        Matrix zf = zero;
        Matrix m = zero;
        for (int t = 0; t < STEPS; t++) {
            Matrix xg = x.scale(tau1).plus(xf.scale(1 - tau1));
            Matrix yg = y.scale(sigma1).plus(yf.scale(1 - sigma1));
            Matrix zg = z.scale(sigma1).plus(zf.scale(1 - sigma1));
            Matrix slope = gradients(xg).minus(xg.scale(nu));
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
            z = z.plus(zg.minus(z).scale(gamma / 17)).minus(w.mult(v));
            m = v.minus(w.mult(v));
            zf = zg.minus(w.mult(yg.plus(zg)).scale(0.5));
            x = xNext;
            y = yNext;
            assertSame(actual.get(t), xf, t);
        }
    }

    /** With a dual variable per sample, and the inner problem's condition for an optimum checked as the paper has it. */
    @Test
    void colaIsItsRecursion() {
        double total = problem.totalSigma();
        Matrix w = identity.minus(laplacian.over(gossip.largest()));
        List<Matrix> actual = estimates(new Cola(0), STEPS);
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
}
