package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.problem.Rounding;
import org.junit.jupiter.api.Test;

/** What Newton's method without a regulariser accepts and proves by curvature, given hand-made totals. */
class ExactNewtonTest {

    private static final double TARGET = 1e-6;
    private static final double WEIGHT = 4;
    private static final long SAMPLES = 50;
    private static final PassLayout ONE = new PassLayout(1, false);
    private static final Loss LOGISTIC = new Logistic();
    private static final Loss SQUARED = new Squared();

    private final HandMade hand = new HandMade(ONE, 0, WEIGHT);

    /** A step that leads to a point so near that it is proven; with slope 2⁻⁴⁶ and the curvature 4. */
    private ExactNewton atItsProof(Loss loss, double lambda) {
        ExactNewton one = new ExactNewton(ONE, Family.of(loss), SAMPLES, lambda, TARGET);
        HandMade by = new HandMade(ONE, lambda, WEIGHT);
        one.take(by.totals(one, 2, new double[] {-4}, new double[] {4}));
        one.advance();
        one.take(by.totals(one, 0.5, new double[] {0x1p-46}, new double[] {4}));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);
        assertThat(one.point()).containsExactly(1);
        assertThat(one.certifies()).isFalse();
        return one;
    }

    /** ν = 2⁻⁴⁷, and so far from the optimum in the norm of H; times √W it is in units of deviations. */
    @Test
    void boundsTheDistanceFromTheOptimumInStandardErrors() {
        ExactNewton one = atItsProof(LOGISTIC, 0);

        one.take(hand.totals(one, 0.5, 0x1p-46));

        assertThat(one.certifies()).isTrue();
        assertThat(one.gap()).isCloseTo(0x1p-95, within(1e-12 * 0x1p-95));
        assertThat(one.exactness().standardErrors()).isBetween(0x1p-47 * 2, 0x1p-47 * 2 * (1 + 1e-2));
    }

    /** Residuals of a regression have their variance: twice the losses by the rows less the coefficients. */
    @Test
    void estimatesTheVarianceOfARegression() {
        ExactNewton one = atItsProof(SQUARED, 0);

        one.take(hand.totals(one, 0.5, 0x1p-46));

        double deviation = Math.sqrt(2 * 0.5 * WEIGHT / (SAMPLES - 1));
        assertThat(one.exactness().standardErrors()).isCloseTo(0x1p-47 * 2 / deviation, within(1e-3 * 0x1p-46));
    }

    @Test
    void aRegressionWithAsManyCoefficientsAsRowsHasNoStandardErrors() {
        ExactNewton one = new ExactNewton(ONE, Family.of(SQUARED), 1, 0, TARGET);
        one.take(hand.totals(one, 0.5, new double[] {0x1p-46}, new double[] {4}));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);

        one.take(hand.totals(one, 0.5, 0x1p-46));

        assertThat(one.exactness().standardErrors()).isInfinite();
    }

    /** λ = 0.25, θ = 1, √H = 2: what λθ may be wrong by, in units of the scales, is some 2⁻⁵³ of 1/8. */
    @Test
    void countsTheRoundingOfTheRegularisersGradient() {
        ExactNewton one = new ExactNewton(ONE, Family.of(SQUARED), SAMPLES, 0.25, TARGET);
        HandMade by = new HandMade(ONE, 0.25, WEIGHT);
        one.take(by.totals(one, 2, new double[] {-4}, new double[] {4}));
        one.advance();
        one.take(by.totals(one, 0.5, new double[] {0}, new double[] {4}));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);

        one.take(by.totals(one, 0.5, 0));

        double deviation = Math.sqrt(2 * 0.5 * WEIGHT / (SAMPLES - 1));
        double nu = one.exactness().standardErrors() * deviation / 2;
        assertThat(nu).isBetween(2 * Rounding.UNIT * 0.125, 32 * Rounding.UNIT * 0.125);
    }

    /** ν²/2 is 1/8, of an objective of 1/2 that is too large by 1/50. */
    @Test
    void claimsAGapRelativeToTheSmallestPossibleObjective() {
        ExactNewton one = new ExactNewton(ONE, Family.of(SQUARED), SAMPLES, 0, TARGET);
        one.useAllSamples();
        one.take(hand.totals(one, 0.5, new double[] {1}, new double[] {4}));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);

        one.take(hand.rounded(0.02, 0, 0).totals(one, 0.5, 1));

        assertThat(one.gap()).isCloseTo(0.125, within(1e-15));
        assertThat(one.certificate(0, 0).error()).isCloseTo(0.125 * 0.5 / 0.48 - 0.125, within(1e-12));
    }

    @Test
    void anOverflowingProofProvesNothingAndChangesNothing() {
        ExactNewton one = atItsProof(LOGISTIC, 0);

        one.take(hand.tooLarge(one));

        assertThat(one.certifies()).isTrue();
        assertThat(one.gap()).isInfinite();
        assertThat(one.certificate(0, 0).error()).isZero();
        assertThat(one.objective()).isEqualTo(0.5);
        assertThat(one.exactness().standardErrors()).isInfinite();
    }
}
