package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.problem.Rounding;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Newton's method with Hessians accepts and what it claims, given hand-made totals. */
class DirectNewtonTest {

    private static final double LAMBDA = 1;
    private static final PassLayout ONE = new PassLayout(1, false);

    private final HandMade hand = new HandMade(ONE, LAMBDA, 4);
    private final DirectNewton newton = new DirectNewton(ONE, 10, LAMBDA);

    /** From 0, where the objective is 1 and falls with slope 1, a whole step that leads to 1. */
    private void stepToOne() {
        tell(1, -1, 1);
    }

    private void tell(double objective, double gradient, double curvature) {
        newton.take(hand.totals(newton, objective, new double[] {gradient}, new double[] {curvature}));
        newton.advance();
    }

    private double point() {
        return newton.point()[0];
    }

    /** The gap is (|g| + spread)²/(2λ) + slack at the most, beside an objective that is too large by the error. */
    @Test
    void claimsTheLargestGapThatRoundingAllows() {
        hand.rounded(0.125, 0.25, 0.125);

        newton.take(hand.totals(newton, 2, new double[] {-1}, new double[] {1}));

        double most = 1.125 * 1.125 / 2 + 0.25;
        assertThat(newton.gap()).isEqualTo(0.5);
        assertThat(newton.certificate(0, 0).error()).isCloseTo(most * 2 / 1.875 - 0.5, within(1e-12));
        assertThat(newton.certificate(0, 0).scale()).isEqualTo(2);
    }

    @Test
    void neverClaimsLessThanItsRounding() {
        stepToOne();

        newton.take(hand.totals(newton, 1, new double[] {-1}, new double[] {1}));

        // Losses are added up in blocks of 256, slopes take a few operations, and so does what is made of them.
        double gap = 0.5;
        double loss = 0.5;
        assertThat(newton.certificate(0, 0).error())
                .isBetween(Rounding.UNIT * (256 * gap + 4 * loss), Rounding.UNIT * (2048 * gap + 64 * loss + 64));
    }

    @Test
    void nothingIsRelativeToAnObjectiveThatMayBeMereRounding() {
        newton.take(hand.rounded(2.5, 0, 0).totals(newton, 2, new double[] {-1}, new double[] {1}));

        assertThat(newton.certificate(0, 0).scale()).isZero();
    }

    @Test
    void overflowingTotalsProveNothing() {
        stepToOne();

        newton.take(hand.tooLarge(newton));

        assertThat(newton.objective()).isInfinite();
        assertThat(newton.gap()).isInfinite();
        assertThat(newton.certificate(0, 0).error()).isInfinite();
        newton.advance();
        assertThat(point()).isCloseTo(0.1, within(1e-15));
    }

    /**
     * To the optimum of a sample, and on to a first and a second point on all rows, of which the second is no better.
     */
    private static List<PassSums> passesOverAllRows(DirectNewton newton) {
        HandMade rows = new HandMade(ONE, LAMBDA, 4);
        List<PassSums> passes = new ArrayList<>();
        double[][] told = {{2, -2}, {1, 0}, {2.01, -0.2}, {2.0099, -0.19}};
        for (double[] one : told) {
            double[] hessian = newton.passSums() == PassSums.HESSIAN ? new double[] {2} : new double[0];
            newton.take(rows.totals(newton, one[0], new double[] {one[1]}, hessian));
            newton.advance();
            if (newton.stride() == 1) {
                passes.add(newton.passSums());
            }
        }
        return passes;
    }

    @Test
    void aCheapHessianOfAllRowsReplacesThatOfASampleAndServesForMoreThanOneStep() {
        assertThat(passesOverAllRows(new DirectNewton(ONE, 100_000, LAMBDA).withCheapHessians()))
                .containsExactly(PassSums.GRADIENT, PassSums.HESSIAN, PassSums.GRADIENT);
        assertThat(passesOverAllRows(new DirectNewton(ONE, 100_000, LAMBDA)))
                .containsExactly(PassSums.GRADIENT, PassSums.GRADIENT, PassSums.HESSIAN);
    }

    /** At the optimum nothing is left but what a loss and its slope are wrong by. */
    @Test
    void claimsTheRoundingOfLossesWhereTheGapIsZero() {
        newton.take(hand.totals(newton, 1, new double[] {0}, new double[] {1}));

        assertThat(newton.gap()).isZero();
        assertThat(newton.certificate(0, 0).error()).isBetween(2 * Rounding.UNIT, 64 * Rounding.UNIT);
    }

    /** λθ is 2⁵⁰ and rounded to eighths, however small the gradient is that it leaves. */
    @Test
    void countsTheRoundingOfTheRegularisersGradient() {
        newton.beginAt(new double[] {0x1p50});

        newton.take(hand.totals(newton, 0x1p99, new double[] {1}, new double[] {1}));

        assertThat(newton.gap()).isEqualTo(0.5);
        // The objective is so large that the dual value is rounded to it, which the error makes up for.
        assertThat(newton.certificate(0, 0).gap()).isBetween(1.125 * 1.125 / 2, 5.0 * 5 / 2);
    }

    /**
     * Slopes of 2 upwards and 1 downwards: half of the former has to go, and with it half of their Σ s x, and of all
     * losses as much.
     */
    @Test
    void balancesSlopesForAFreeIntercept() {
        PassLayout free = new PassLayout(2, true);
        DirectNewton one = new DirectNewton(free, 10, 0.5);
        HandMade by = new HandMade(free, 0.5, 4).rounded(0.1, 0.2, 0.3);
        double[] sums = by.totals(one, 5, new double[] {3, 1}, new double[] {4, 0, 2});
        sums[free.rising()] = 4 * 2.5;
        sums[free.rising() + 1] = 4 * 2;
        sums[free.risingSpread()] = 4 * 0.05;

        one.take(sums);

        double balanced = 3 - 2.5 / 2;
        double gap = balanced * balanced + 5.0 / 2;
        // The length may be wrong by what the sum may be, and by half of what it and that of its part may be.
        double longest = balanced + 0.3 + (0.3 + 0.05) / 2;
        double most = longest * longest + 5.1 / 2 + 0.2;
        assertThat(one.gap()).isCloseTo(gap, within(1e-12));
        assertThat(one.certificate(0, 0).error()).isCloseTo(most * 5 / 4.9 - gap, within(1e-11));
    }
}
