package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Newton's method with an l1 term accepts and claims, given hand-made totals. */
class ProximalNewtonTest {

    private static final double LAMBDA = 0.5;
    private static final double L1 = 0.25;
    private static final PassLayout ONE = new PassLayout(1, false);

    private final HandMade hand = new HandMade(ONE, LAMBDA, 4);
    private final ProximalNewton newton = new ProximalNewton(ONE, 10, LAMBDA, L1, true);

    /** Totals are of what is smooth. */
    private static void tell(ProximalNewton one, HandMade by, double smooth, double gradient, double curvature) {
        double[] hessian = one.passSums() == PassSums.HESSIAN ? new double[] {curvature} : new double[0];
        one.take(by.totals(one, smooth, new double[] {gradient}, hessian));
        one.advance();
    }

    private double point() {
        return newton.point()[0];
    }

    /** λ₁|θ| is part of the objective, but not of what is told. */
    @Test
    void theObjectiveAndItsGapIncludeTheL1Term() {
        newton.beginAt(new double[] {-2});

        newton.take(hand.totals(newton, 3, new double[] {0.5}, new double[] {1}));

        assertThat(newton.objective()).isCloseTo(3.5, within(1e-15));
        // The gradient of what is smooth is λθ − u, so that u = −1.5: soft(u) = −1.25 and λθ − soft(u) = 0.25.
        assertThat(newton.gap()).isCloseTo(0.25 * 0.25 / (2 * LAMBDA), within(1e-14));
    }

    @Test
    void claimsTheLargestGapThatRoundingAllows() {
        newton.beginAt(new double[] {-2});

        newton.take(hand.rounded(0.125, 0.25, 0.125).totals(newton, 3, new double[] {0.5}, new double[] {1}));

        double most = 0.375 * 0.375 / (2 * LAMBDA) + 0.25;
        assertThat(newton.error()).isCloseTo(most * 3.5 / 3.375 - newton.gap(), within(1e-12));
    }

    @Test
    void doesNotPenaliseAFreeIntercept() {
        PassLayout free = new PassLayout(2, true);
        ProximalNewton one = new ProximalNewton(free, 10, LAMBDA, L1, true);
        one.beginAt(new double[] {-2, 3});
        double[] sums = new HandMade(free, LAMBDA, 4).totals(one, 3, new double[] {0.5, 0}, new double[] {1, 0, 1});

        one.take(sums);

        assertThat(one.objective()).isCloseTo(3.5, within(1e-15));
        assertThat(one.gap()).isCloseTo(0.0625, within(1e-14));
        one.advance();
        assertThat(one.point()).containsExactly(new double[] {-2.25, 3}, within(1e-14));
    }

    /** Slopes of 2 upwards and 1 downwards: half of the former has to go, and of all losses as much. */
    @Test
    void balancesSlopesForAFreeIntercept() {
        PassLayout free = new PassLayout(2, true);
        ProximalNewton one = new ProximalNewton(free, 10, LAMBDA, L1, true);
        double[] sums = new HandMade(free, LAMBDA, 4).totals(one, 5, new double[] {3, 1}, new double[] {4, 0, 2});
        sums[free.rising()] = 4 * 2.5;
        sums[free.rising() + 1] = 4 * 2;

        one.take(sums);

        // 3 − 2.5/2 is 1.5 beyond its price; a smaller scale than 1 proves no more than 2.5 of losses are worth.
        double u = 1.75;
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k <= 100_000; k++) {
            double scale = k / 100_000.0;
            double beyond = Math.max(0, scale * u - L1);
            least = Math.min(least, (1 - scale) * 5 + beyond * beyond / (2 * LAMBDA) + scale * 2.5);
        }
        assertThat(one.gap()).isCloseTo(least, within(1e-8));
    }

    /** From 0 to 3/4 the slope, 1 less 1/4, has promised 9/16, of which a ten-thousandth is to be kept. */
    @ParameterizedTest
    @CsvSource({"0.99994,true", "0.99995,false", "0.9,true", "1.2,false"})
    void acceptsAStepThatLowersTheObjectiveByAPartOfWhatWasPromised(double objective, boolean kept) {
        tell(newton, hand, 1, -1, 1);
        assertThat(point()).isEqualTo(0.75);

        // Its price is 3/16; it rises so much there that the gap has grown, and a whole step from there leads far back.
        tell(newton, hand, objective - 0.1875, 3, 1);

        assertThat(point() < 0).isEqualTo(kept);
    }

    private final ProximalNewton blank = new ProximalNewton(ONE, 100_000, LAMBDA, L1, false);

    @Test
    void neverAsksForAHessianWhereItMayNot() {
        tell(blank, hand, 1, -2, 0);

        // The gap is larger than it was, and the objective a little lower.
        tell(blank, hand, 0.5, -3, 0);

        assertThat(blank.passSums()).isEqualTo(PassSums.GRADIENT);
        tell(blank, hand, 9, 5, 0);
        assertThat(blank.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    /** Three features: H of the objective, with the conditions of its model's minimum for a proof of that. */
    @Test
    void aStepSatisfiesTheOptimalityConditionsOfTheModel() {
        PassLayout three = new PassLayout(3, false);
        ProximalNewton one = new ProximalNewton(three, 10, LAMBDA, L1, true);
        double[] start = {1, -2, 0.5};
        double[] gradient = {0.4, -1.5, 1.1};
        double[][] hessian = {{4, 1, -0.5}, {1, 3, 0.75}, {-0.5, 0.75, 2}};
        one.beginAt(start);

        one.take(new HandMade(three, LAMBDA, 4).totals(one, 9, gradient, new double[] {4, 1, 3, -0.5, 0.75, 2}));
        // u = λθ − g; what is beyond λ₁ of it against λθ, and what is within against |θ|.
        double gap = 0;
        for (int c = 0; c < 3; c++) {
            double u = LAMBDA * start[c] - gradient[c];
            double beyond = Math.signum(u) * Math.max(0, Math.abs(u) - L1);
            gap += LAMBDA / 2 * start[c] * start[c] + L1 * Math.abs(start[c]) - u * start[c];
            gap += beyond * beyond / (2 * LAMBDA);
        }
        assertThat(one.gap()).isCloseTo(gap, within(1e-13));
        one.advance();

        for (int c = 0; c < 3; c++) {
            double slope = gradient[c];
            for (int b = 0; b < 3; b++) {
                slope += hessian[c][b] * (one.point()[b] - start[b]);
            }
            double z = one.point()[c];
            assertThat(z == 0 ? Math.max(0, Math.abs(slope) - L1) : slope + L1 * Math.signum(z))
                    .isCloseTo(0, within(1e-12));
        }
    }

    /** As in the test of balanced slopes, where the sums may be wrong by 0.3 and 0.05, and the losses by 0.1. */
    @Test
    void countsTheRoundingOfBalancedSlopes() {
        PassLayout free = new PassLayout(2, true);
        ProximalNewton one = new ProximalNewton(free, 10, LAMBDA, L1, true);
        double[] sums = new HandMade(free, LAMBDA, 4)
                .rounded(0.1, 0, 0.3)
                .totals(one, 5, new double[] {3, 1}, new double[] {4, 0, 2});
        sums[free.rising()] = 4 * 2.5;
        sums[free.rising() + 1] = 4 * 2;
        sums[free.risingSpread()] = 4 * 0.05;

        one.take(sums);

        // α(5 − 2.5) is what slopes are worth that are balanced, less (1.75α − 1/4)², so that 1.75α − 1/4 is 2.5/3.5.
        double scale = (2.5 / 3.5 + L1) / 1.75;
        double length = 1.75 * scale - L1;
        double gap = (1 - scale) * 5 + length * length + scale * 2.5;
        double longest = length + scale * (0.3 + (0.3 + 0.05) / 2);
        double most = (1 - scale) * 5.1 + longest * longest + scale * 5.1 / 2;
        assertThat(one.gap()).isCloseTo(gap, within(1e-7));
        assertThat(one.error()).isCloseTo(most * 5 / 4.9 - gap, within(1e-7));
    }
}
