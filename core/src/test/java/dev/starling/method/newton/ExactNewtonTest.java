package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.method.SeparationException;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Newton's method without a regulariser accepts and proves by curvature, given hand-made totals. */
class ExactNewtonTest {

    private static final double TARGET = 1e-6;
    private static final double WEIGHT = 4;
    private static final long SAMPLES = 50;
    private static final PassLayout ONE = new PassLayout(1, false);
    private static final Loss LOGISTIC = new Logistic();
    private static final Loss SQUARED = new Squared();

    private final HandMade hand = new HandMade(ONE, 0, WEIGHT);
    private final ExactNewton newton = new ExactNewton(ONE, Family.of(LOGISTIC), SAMPLES, 0, TARGET);

    private void tell(double objective, double gradient, double curvature) {
        newton.take(hand.totals(newton, objective, new double[] {gradient}, new double[] {curvature}));
        newton.advance();
    }

    private double point() {
        return newton.point()[0];
    }

    /** From 0, where the objective is 1 and falls with slope 1, a whole step that leads to 1. */
    private void stepToOne() {
        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
        tell(1, -1, 1);
        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
    }

    @ParameterizedTest
    @CsvSource({"0.9999,true", "0.99991,false", "1.5,false"})
    void acceptsAStepThatLowersTheObjectiveByAPartOfWhatWasPromised(double objective, boolean kept) {
        stepToOne();

        tell(objective, -1, 1);

        assertThat(point() > 1).isEqualTo(kept);
        assertThat(newton.passSums()).isEqualTo(kept ? PassSums.HESSIAN : PassSums.GRADIENT);
    }

    /** A step that leads to a point so near that it is proven; with slope 2⁻⁴⁰ and the curvature 4. */
    private ExactNewton atItsProof(Loss loss, double lambda) {
        ExactNewton one = new ExactNewton(ONE, Family.of(loss), SAMPLES, lambda, TARGET);
        HandMade by = new HandMade(ONE, lambda, WEIGHT);
        one.take(by.totals(one, 2, new double[] {-4}, new double[] {4}));
        one.advance();
        one.take(by.totals(one, 0.5, new double[] {0x1p-40}, new double[] {4}));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);
        assertThat(one.point()).containsExactly(1);
        assertThat(one.certifies()).isFalse();
        return one;
    }

    /** ν = 2⁻⁴¹, and so far from the optimum in the norm of H; times √W it is in units of deviations. */
    @Test
    void boundsTheDistanceFromTheOptimumInStandardErrors() {
        ExactNewton one = atItsProof(LOGISTIC, 0);

        one.take(hand.totals(one, 0.5, 0x1p-40));

        assertThat(one.certifies()).isTrue();
        assertThat(one.gap()).isCloseTo(0x1p-83, within(1e-12 * 0x1p-83));
        assertThat(one.exactness().standardErrors()).isBetween(0x1p-41 * 2, 0x1p-41 * 2 * (1 + 1e-2));
    }

    /** Residuals of a regression have their variance: twice the losses by the rows less the coefficients. */
    @Test
    void estimatesTheVarianceOfARegression() {
        ExactNewton one = atItsProof(SQUARED, 0);

        one.take(hand.totals(one, 0.5, 0x1p-40));

        double deviation = Math.sqrt(2 * 0.5 * WEIGHT / (SAMPLES - 1));
        assertThat(one.exactness().standardErrors()).isCloseTo(0x1p-41 * 2 / deviation, within(1e-3 * 0x1p-40));
    }

    @Test
    void aRegressionWithAsManyCoefficientsAsRowsHasNoStandardErrors() {
        ExactNewton one = new ExactNewton(ONE, Family.of(SQUARED), 1, 0, TARGET);
        one.take(hand.totals(one, 0.5, new double[] {0x1p-40}, new double[] {4}));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);

        one.take(hand.totals(one, 0.5, 0x1p-40));

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
        assertThat(one.error()).isCloseTo(0.125 * 0.5 / 0.48 - 0.125, within(1e-12));
    }

    @Test
    void anOverflowingProofProvesNothingAndChangesNothing() {
        ExactNewton one = atItsProof(LOGISTIC, 0);

        one.take(hand.tooLarge(one));

        assertThat(one.certifies()).isTrue();
        assertThat(one.gap()).isInfinite();
        assertThat(one.error()).isZero();
        assertThat(one.objective()).isEqualTo(0.5);
        assertThat(one.exactness().standardErrors()).isInfinite();
    }

    /** The logistic loss goes on falling, a little slower in every step. */
    private int stepsUntilItLooks(ExactNewton one) {
        int steps = 0;
        while (one.passSums() == PassSums.HESSIAN && steps < 40) {
            double slope = Math.pow(0.8, steps);
            one.take(hand.totals(one, slope, new double[] {-slope}, new double[] {slope}));
            one.advance();
            steps++;
        }
        return steps;
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-9, 0})
    void reportsSeparationWhereTheObjectiveKeepsFalling(double lower) {
        stepsUntilItLooks(newton);
        double here = newton.objective();

        newton.take(hand.totals(newton, here - lower, -1));

        assertThatThrownBy(newton::advance).isInstanceOf(SeparationException.class);
    }

    /** Features count by what they do to margins, which the first Hessian tells, and a tenth of the most is enough. */
    @Test
    void namesTheFeaturesThatSeparate() {
        PassLayout layout = new PassLayout(4, true);
        ExactNewton many = new ExactNewton(layout, Family.of(LOGISTIC), SAMPLES, 0, TARGET);
        HandMade by = new HandMade(layout, 0, WEIGHT);
        // Entries of the direction are 1, 1, 1 and 1; scales are 1, 1/5, 1/20 and 1.
        double[] curvatures = {1, 0.04, 0.0025, 1};
        double[] hessian = {1, 0, 0.04, 0, 0, 0.0025, 0, 0, 0, 1};
        for (int step = 0; many.passSums() == PassSums.HESSIAN; step++) {
            double part = Math.pow(0.8, step);
            many.take(by.totals(
                    many,
                    part,
                    Arrays.stream(curvatures).map(c -> -part * c).toArray(),
                    Arrays.stream(hessian).map(c -> part * c).toArray()));
            many.advance();
        }
        many.take(by.totals(many, 0, 0, 0, 0, 0));

        assertThatThrownBy(many::advance)
                .isInstanceOfSatisfying(
                        SeparationException.class,
                        e -> assertThat(e.named(List.of("first", "second", "third"), 3)
                                        .getMessage())
                                .contains("first", "second")
                                .doesNotContain("third"));
    }

    /** The second of two equal columns. */
    @Test
    void leavesOutADuplicateColumn() {
        PassLayout two = new PassLayout(2, false);
        ExactNewton plane = new ExactNewton(two, Family.of(SQUARED), SAMPLES, 0, TARGET);
        HandMade by = new HandMade(two, 0, WEIGHT);

        plane.take(by.totals(plane, 5, new double[] {4, 4}, new double[] {4, 4, 4}));
        plane.advance();

        assertThat(plane.point()).containsExactly(-1, 0);
        assertThat(plane.exactness().aliased()).containsExactly(1);
        // Its gradient is no reason to go on, whatever rounding has made of it.
        plane.take(by.totals(plane, 1, new double[] {0, 1e-3}, new double[] {4, 4, 4}));
        plane.advance();
        assertThat(plane.passSums()).isEqualTo(PassSums.PROOF);
        plane.take(by.totals(plane, 1, 0, 1e-3));
        assertThat(plane.gap()).isZero();
        assertThat(plane.exactness().standardErrors()).isFinite();
    }

    @Test
    void leavesNothingOutWithARegulariser() {
        PassLayout two = new PassLayout(2, false);
        ExactNewton plane = new ExactNewton(two, Family.of(SQUARED), SAMPLES, 1, TARGET);

        plane.take(new HandMade(two, 1, WEIGHT).totals(plane, 5, new double[] {9, 9}, new double[] {5, 4, 5}));
        plane.advance();

        assertThat(plane.point()).containsExactly(new double[] {-1, -1}, within(1e-14));
        assertThat(plane.exactness().aliased()).isEmpty();
    }

    @Test
    void clearsTheInitialWeightOfAColumnThatIsLeftOut() {
        PassLayout two = new PassLayout(2, false);
        ExactNewton plane = new ExactNewton(two, Family.of(SQUARED), SAMPLES, 0, TARGET);
        plane.beginAt(new double[] {3, 5});
        HandMade by = new HandMade(two, 0, WEIGHT);

        plane.take(by.totals(plane, 5, new double[] {4, 4}, new double[] {4, 4, 4}));
        plane.advance();

        assertThat(plane.passSums()).isEqualTo(PassSums.HESSIAN);
        assertThat(plane.point()).containsExactly(3, 0);
        plane.take(by.totals(plane, 5, new double[] {4, 4}, new double[] {4, 4, 4}));
        plane.advance();
        assertThat(plane.point()).containsExactly(2, 0);
    }
}
