package dev.starling.method.multipliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The regulariser and what it leaves of a gap, by their definitions. */
class PenaltyTest {

    private static final double LAMBDA = 0.5;
    private static final double L1 = 0.25;
    private static final double[] THETA = {2, -3, 0, 5};

    /** The last weight is an intercept. */
    private final Penalty net = new Penalty(LAMBDA, L1, 3);

    private final Penalty ridge = new Penalty(LAMBDA, 0, 4);

    @Test
    void itsValueIsThatOfTheRegularisedWeights() {
        assertThat(net.value(THETA)).isEqualTo(0.25 * 13 + 0.25 * 5);
        assertThat(ridge.value(THETA)).isEqualTo(0.25 * 38);
        assertThat(net.length(THETA)).isEqualTo(5);
        assertThat(ridge.length(THETA)).isZero();
        assertThat(net.isSmooth()).isFalse();
        assertThat(ridge.isSmooth()).isTrue();
        assertThat(net.prices(4)).containsExactly(L1, L1, L1, 0);
        assertThat(ridge.prices(4)).containsOnly(0);
    }

    /** By the difference of two values a little after the step. */
    @Test
    void itsSlopeAtAKinkIsTheLargerAlongADirection() {
        double[] direction = {-4, 1.5, 7, 100};
        for (double step : new double[] {0, 0.25, 0.5, 1, 2, 3}) {
            double little = 1e-7;
            double[] here = new double[4];
            double[] there = new double[4];
            for (int c = 0; c < 4; c++) {
                here[c] = THETA[c] + step * direction[c];
                there[c] = THETA[c] + (step + little) * direction[c];
            }
            double slope = L1 * (net.length(there) - net.length(here)) / little;

            assertThat(net.kinkSlope(THETA, direction, step)).isCloseTo(slope, within(1e-6));
        }
        assertThat(ridge.kinkSlope(THETA, direction, 1)).isZero();
    }

    /** λ/2 θ² + λ₁|θ| − uθ + soft(u)²/(2λ) for each weight. */
    @Test
    void theLackIsTheSlackOfFenchelsInequality() {
        Random random = new Random(5);
        for (int run = 0; run < 200; run++) {
            double[] theta =
                    random.doubles(4, -2, 2).map(t -> Math.abs(t) < 0.5 ? 0 : t).toArray();
            double[] u = random.doubles(4, -1, 1).toArray();
            double[] gradient = new double[4];
            double gap = 0;
            double pull = 0;
            for (int c = 0; c < 3; c++) {
                gradient[c] = LAMBDA * theta[c] - u[c];
                double soft = Math.max(0, Math.abs(u[c]) - L1);
                gap += LAMBDA / 2 * theta[c] * theta[c] + L1 * Math.abs(theta[c]) - u[c] * theta[c];
                gap += soft * soft / (2 * LAMBDA);
                pull += u[c] * u[c];
            }
            // What is left of the slopes along an intercept counts as it is.
            gradient[3] = u[3];
            gap += u[3] * u[3] / (2 * LAMBDA);

            Penalty.Residual lack = net.residual(theta, gradient);

            assertThat(lack.squares() / (2 * LAMBDA) + lack.price()).isCloseTo(gap, within(1e-13));
            assertThat(lack.price()).isNotNegative();
            assertThat(lack.pull()).isCloseTo(Math.sqrt(pull), within(1e-14));
        }
    }

    @Test
    void withoutAnL1TermTheLackIsTheGradient() {
        assertThat(ridge.residual(THETA, new double[] {1, 2, 3, 4})).isEqualTo(new Penalty.Residual(30, 0, 0));
    }
}
