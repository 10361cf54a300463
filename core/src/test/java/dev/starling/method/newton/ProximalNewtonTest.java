package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.objective.PassLayout;
import org.junit.jupiter.api.Test;

/** What Newton's method with an l1 term accepts and claims, given hand-made totals. */
class ProximalNewtonTest {

    private static final double LAMBDA = 0.5;
    private static final double L1 = 0.25;
    private static final PassLayout ONE = new PassLayout(1, false);

    private final HandMade hand = new HandMade(ONE, LAMBDA, 4);
    private final ProximalNewton newton = new ProximalNewton(ONE, 10, LAMBDA, L1, true);

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
        assertThat(newton.certificate(0, 0).error()).isCloseTo(most * 3.5 / 3.375 - newton.gap(), within(1e-12));
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
        assertThat(one.certificate(0, 0).error()).isCloseTo(most * 5 / 4.9 - gap, within(1e-7));
    }
}
