package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.lab.baseline.dual.Dvr;
import dev.starling.lab.baseline.dual.DvrCatalyst;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.lab.variant.Algorithm;
import dev.starling.node.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** As {@link LiteralReferenceTest}, for DVR alone, with Chebyshev gossip and with Catalyst. */
class LiteralDvrTest extends LiteralSetting {

    @Test
    void dvrIsItsRecursion() {
        assertDvr(Baselines.named("dvr"), Dvr.Parameters.plain(network, gossip, facts), STEPS, 1, theta -> theta);
    }

    @Test
    void dvrWithChebyshevGossipIsItsRecursion() {
        assertDvr(
                Baselines.named("dvr-chebyshev"),
                Dvr.Parameters.chebyshev(network, gossip, facts),
                STEPS,
                1,
                theta -> theta);
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
        assertDvr(Baselines.named("dvr-catalyst"), parameters.inner(), 10 * STEPS, ridge, outer);
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
}
