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

/** Every decision of the method that curvature proves what it finds of, on totals made by hand. */
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

    private void tell(double objective, double gradient) {
        newton.take(hand.totals(newton, objective, gradient));
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

    @Test
    void aStepSolvesWithTheHessian() {
        PassLayout two = new PassLayout(2, false);
        ExactNewton plane = new ExactNewton(two, Family.of(LOGISTIC), SAMPLES, 0, TARGET);

        plane.take(new HandMade(two, 0, 3).totals(plane, 5, new double[] {2, 7}, new double[] {4, 1, 3}));
        plane.advance();

        assertThat(plane.point()).containsExactly(new double[] {1.0 / 11, -26.0 / 11}, within(1e-15));
        assertThat(plane.certifies()).isFalse();
        assertThat(plane.needsHessians()).isTrue();
        assertThat(plane.stride()).isEqualTo(1);
    }

    /** H is the losses' and λ on its diagonal, but for a free intercept's entry. */
    @Test
    void aTinyRegulariserIsPartOfTheHessian() {
        PassLayout free = new PassLayout(2, true);
        ExactNewton one = new ExactNewton(free, Family.of(LOGISTIC), SAMPLES, 0.5, TARGET);
        one.beginAt(new double[] {2, 3});

        one.take(new HandMade(free, 0.5, 3).totals(one, 5, new double[] {2, 7}, new double[] {4, 1, 3}));
        assertThat(one.objective()).isCloseTo(5, within(1e-15));
        one.advance();

        assertThat(one.point()).containsExactly(new double[] {2 + 1.0 / 11, 3 - 26.0 / 11}, within(1e-14));
    }

    @ParameterizedTest
    @CsvSource({"0.9999,true", "0.99991,false", "1.5,false"})
    void aStepIsKeptThatBringsTheObjectiveDownEnough(double objective, boolean kept) {
        stepToOne();

        tell(objective, -1, 1);

        assertThat(point() > 1).isEqualTo(kept);
        assertThat(newton.passSums()).isEqualTo(kept ? PassSums.HESSIAN : PassSums.GRADIENT);
    }

    /** 2⁻⁴⁴ of the objective is what rounding may add to it. */
    @ParameterizedTest
    @CsvSource({"0.9,true", "1.1,false"})
    void whatRoundingMayAddIsForgiven(double times, boolean kept) {
        tell(1024, -0x1p-10, 0x1p-20);
        assertThat(point()).isEqualTo(0x1p10);
        // The slope has promised 1, of which it has to keep a ten-thousandth.
        double allowed = 1024 - 1e-4 + times * 0x1p-34;

        tell(allowed, -0x1p-10, 0x1p-20);

        assertThat(point() > 0x1p10).isEqualTo(kept);
    }

    /** 1 − t + t²/2 + 4t³ has its minimum at 1/4; at 1 it is 4.5 and rises with slope 12. */
    @Test
    void aStepThatLeadsUpIsShortenedAndThenHasItsHessianSummedUp() {
        stepToOne();

        tell(4.5, 12, 1);
        assertThat(point()).isCloseTo(0.25, within(1e-15));
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);

        // A quarter of the step has a quarter of the promise to keep.
        ExactNewton less = HandMade.restored(newton, new ExactNewton(ONE, Family.of(LOGISTIC), SAMPLES, 0, TARGET));
        less.take(hand.totals(less, 0.99998, -1));
        less.advance();
        assertThat(less.point()[0]).isLessThan(0.25);
        assertThat(less.passSums()).isEqualTo(PassSums.GRADIENT);

        tell(0.99997, -1);
        assertThat(point()).isCloseTo(0.25, within(1e-15));
        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
    }

    /** Each trial is a tenth of the one before: seven of them are less than 2⁻²⁰. */
    @Test
    void aStepThatHasBecomeTooShortIsTakenBack() {
        stepToOne();
        for (int trial = 0; trial < 7; trial++) {
            newton.take(hand.tooLarge(newton));
            newton.advance();
            assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
            assertThat(point()).isCloseTo(Math.pow(10, -trial - 1), within(1e-9));
        }

        newton.take(hand.tooLarge(newton));
        newton.advance();

        assertThat(point()).isZero();
        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
    }

    /** ν² = g²/H, beside half the gap asked for; and ν √W beside 1e-10, or beside half of what ν was. */
    @ParameterizedTest
    @CsvSource({
        "0.00069,0.00137,PROOF", // near enough, and hardly nearer than before
        "0.00069,0.0014,HESSIAN", // near enough, and less than half of before: coefficients have more to gain
        "0.00072,0.00137,HESSIAN", // not near enough
        "0.00000000004,1,PROOF", // coefficients are as near as they get
        "0.00000000006,1,HESSIAN"
    })
    void aPointIsProvenOnceItIsNear(double nu, double before, PassSums next) {
        tell(1, -before, 1);

        // Squares of 0.0007 are half a millionth.
        tell(0.9998, nu, 1);

        assertThat(newton.passSums()).isEqualTo(next);
    }

    /** A looser target than rounding allows is held to rounding: 2⁻⁴⁴ of the objective. */
    @ParameterizedTest
    @CsvSource({"0.99,PROOF", "1.01,HESSIAN"})
    void noNearerThanRoundingAllowsIsAskedFor(double times, PassSums next) {
        ExactNewton strict = new ExactNewton(ONE, Family.of(LOGISTIC), SAMPLES, 0, 1e-14);
        strict.take(hand.totals(strict, 1, new double[] {-times * 0x1p-22}, new double[] {1}));
        strict.advance();

        strict.take(hand.totals(strict, 1, new double[] {times * 0x1p-22}, new double[] {1}));
        strict.advance();

        assertThat(strict.passSums()).isEqualTo(next);
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

    @Test
    void aProofIsMadeWhereTheHessianWas() {
        ExactNewton one = atItsProof(SQUARED, 0);

        assertThat(one.basis().inverse()).containsExactly(0.5);
        assertThat(one.basis().leverages()).isFalse();
        assertThat(atItsProof(LOGISTIC, 0).basis().leverages()).isTrue();
    }

    /** ν = 2⁻⁴¹, and so far from the optimum in the norm of H; times √W it is in units of deviations. */
    @Test
    void aProofTellsHowFarCoefficientsAreFromTheOptimum() {
        ExactNewton one = atItsProof(LOGISTIC, 0);

        one.take(hand.totals(one, 0.5, 0x1p-40));

        assertThat(one.certifies()).isTrue();
        assertThat(one.gap()).isCloseTo(0x1p-83, within(1e-12 * 0x1p-83));
        assertThat(one.exactness().standardErrors()).isBetween(0x1p-41 * 2, 0x1p-41 * 2 * (1 + 1e-2));
    }

    /** Residuals of a regression have their variance: twice the losses by the rows less the coefficients. */
    @Test
    void aRegressionHasItsOwnDeviation() {
        ExactNewton one = atItsProof(SQUARED, 0);

        one.take(hand.totals(one, 0.5, 0x1p-40));

        double deviation = Math.sqrt(2 * 0.5 * WEIGHT / (SAMPLES - 1));
        assertThat(one.exactness().standardErrors()).isCloseTo(0x1p-41 * 2 / deviation, within(1e-3 * 0x1p-40));
    }

    @Test
    void aRegressionWithAsManyCoefficientsAsRowsHasNone() {
        ExactNewton one = new ExactNewton(ONE, Family.of(SQUARED), 1, 0, TARGET);
        one.take(hand.totals(one, 0.5, new double[] {0x1p-40}, new double[] {4}));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);

        one.take(hand.totals(one, 0.5, 0x1p-40));

        assertThat(one.exactness().standardErrors()).isInfinite();
    }

    /** λ = 0.25, θ = 1, √H = 2: what λθ may be wrong by, in units of the scales, is some 2⁻⁵³ of 1/8. */
    @Test
    void theRegularisersPartOfTheGradientIsRoundedToo() {
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

    /** ν²/2 is 1/8, of an objective of 1/2 that is too large by 1/10. */
    @Test
    void aProvenGapIsRelativeToWhatTheObjectiveMayBe() {
        ExactNewton one = new ExactNewton(ONE, Family.of(SQUARED), SAMPLES, 0, TARGET);
        one.useAllSamples();
        one.take(hand.totals(one, 0.5, new double[] {1}, new double[] {4}));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);

        one.take(hand.rounded(0.1, 0, 0).totals(one, 0.5, 1));

        assertThat(one.gap()).isCloseTo(0.125, within(1e-15));
        assertThat(one.error()).isCloseTo(0.125 * 0.5 / 0.4 - 0.125, within(1e-12));
    }

    @Test
    void aProofThatIsTooLargeProvesNothingAndChangesNothing() {
        ExactNewton one = atItsProof(LOGISTIC, 0);

        one.take(hand.tooLarge(one));

        assertThat(one.certifies()).isTrue();
        assertThat(one.gap()).isInfinite();
        assertThat(one.error()).isZero();
        assertThat(one.objective()).isEqualTo(0.5);
        assertThat(one.exactness().standardErrors()).isInfinite();
    }

    @Test
    void aStepThatIsTooLargeIsShortened() {
        stepToOne();

        newton.take(hand.tooLarge(newton));
        newton.advance();

        assertThat(point()).isCloseTo(0.1, within(1e-15));
        assertThat(newton.certifies()).isFalse();
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    @Test
    void whoIsHurriedProvesTheNextPointThatHasAHessian() {
        stepToOne();

        newton.useAllSamples();
        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
        tell(0.6, -0.5, 1);

        assertThat(newton.passSums()).isEqualTo(PassSums.PROOF);
        assertThat(point()).isEqualTo(1);
        newton.take(hand.totals(newton, 0.6, -0.5));
        assertThat(newton.certifies()).isTrue();
    }

    @Test
    void whoIsHurriedOnTheWayToAShorterStepGoesBack() {
        stepToOne();
        tell(4.5, 12, 1);

        newton.useAllSamples();

        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
        assertThat(point()).isZero();
    }

    @Test
    void withoutHessiansThePointThatHasOneIsAsFarAsItGets() {
        stepToOne();

        newton.doWithoutHessians();

        assertThat(newton.passSums()).isEqualTo(PassSums.PROOF);
        assertThat(point()).isZero();
    }

    @Test
    void withoutHessiansAShorterStepIsTriedAllTheSame() {
        stepToOne();
        tell(4.5, 12, 1);

        newton.doWithoutHessians();

        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(point()).isCloseTo(0.25, within(1e-15));
    }

    /** Slopes halve, and more, but promise less than rounding hides: then the next point is proven, near or not. */
    @Test
    void afterTenStepsThatBringNothingDownPointsAreProven() {
        ExactNewton flat = new ExactNewton(ONE, Family.of(SQUARED), SAMPLES, 0, TARGET);
        double slope = 1e-5;
        int hessians = 0;
        while (flat.passSums() == PassSums.HESSIAN) {
            flat.take(hand.totals(flat, 1, new double[] {-slope}, new double[] {1}));
            flat.advance();
            slope *= 0.49;
            hessians++;
        }

        // The first step has nothing to be compared with, and after the tenth of the others comes one more.
        assertThat(flat.passSums()).isEqualTo(PassSums.PROOF);
        assertThat(hessians).isEqualTo(12);
    }

    @Test
    void stepsThatBringTheObjectiveDownAreNotCounted() {
        ExactNewton falling = new ExactNewton(ONE, Family.of(SQUARED), SAMPLES, 0, TARGET);
        for (int step = 0; step < 30; step++) {
            assertThat(falling.passSums()).isEqualTo(PassSums.HESSIAN);
            falling.take(hand.totals(falling, Math.pow(0.9, step), new double[] {-1}, new double[] {4}));
            falling.advance();
        }
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

    @Test
    void afterTwelveStepsItLooksFarAhead() {
        assertThat(stepsUntilItLooks(newton)).isEqualTo(12);

        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
        // The first Hessian was 1, and the logistic loss has a quarter at the most: x² is 4 in the mean.
        assertThat((point() - newton.origin[0]) * 2).isCloseTo(100, within(1e-10));
        assertThat(stepsUntilItLooks(new ExactNewton(ONE, Family.of(SQUARED), SAMPLES, 0, TARGET)))
                .isEqualTo(40);
        assertThat(stepsUntilItLooks(new ExactNewton(ONE, Family.of(LOGISTIC), SAMPLES, 1e-12, TARGET)))
                .isEqualTo(40);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-9, 0})
    void whereItIsLowerFarAheadThereIsNoOptimum(double lower) {
        stepsUntilItLooks(newton);
        double here = newton.objective();

        newton.take(hand.totals(newton, here - lower, -1));

        assertThatThrownBy(newton::advance).isInstanceOf(SeparationException.class);
    }

    @Test
    void whereItIsHigherFarAheadItGoesOnAndLooksAgainAfterSixSteps() {
        stepsUntilItLooks(newton);
        double from = newton.origin[0];
        double here = newton.objective();

        tell(here * 1.5, 1);

        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
        // The step that it looked along, as −g/H was 1.
        assertThat(point()).isCloseTo(from + 1, within(1e-12));
        int steps = 0;
        while (newton.passSums() == PassSums.HESSIAN) {
            double slope = 0.8 * here * Math.pow(0.8, steps);
            tell(slope, -slope, slope);
            steps++;
        }
        assertThat(steps).isEqualTo(6);
    }

    /** Features count by what they do to margins, which the first Hessian tells, and a tenth of the most is enough. */
    @Test
    void featuresThatTakePartAreNamed() {
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
                        e -> assertThat(e.named(List.of("first", "second", "third"))
                                        .getMessage())
                                .contains("first", "second")
                                .doesNotContain("third"));
    }

    @Test
    void afterAProofThatFailedItLooksFarAheadAndAfterOneThatHeldItDoesNot() {
        ExactNewton failed = atItsProof(LOGISTIC, 0);
        ExactNewton held = atItsProof(LOGISTIC, 0);

        failed.take(hand.tooLarge(failed));
        failed.advance();
        held.take(hand.totals(held, 0.5, 0x1p-40));
        held.advance();

        assertThat(failed.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(held.passSums()).isEqualTo(PassSums.HESSIAN);
    }

    /** The second of two equal columns. */
    @Test
    void aColumnThatIsThereTwiceIsLeftOut() {
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
    void nothingIsLeftOutWhereThereIsARegulariser() {
        PassLayout two = new PassLayout(2, false);
        ExactNewton plane = new ExactNewton(two, Family.of(SQUARED), SAMPLES, 1, TARGET);

        plane.take(new HandMade(two, 1, WEIGHT).totals(plane, 5, new double[] {9, 9}, new double[] {5, 4, 5}));
        plane.advance();

        assertThat(plane.point()).containsExactly(new double[] {-1, -1}, within(1e-14));
        assertThat(plane.exactness().aliased()).isEmpty();
    }

    @Test
    void aWeightThatAColumnLeftOutBeganWithIsClearedFirst() {
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

    /** What was saved goes on as what was not, whatever comes. */
    @Test
    void whatIsSavedIsTakenUp() {
        for (int cut = 0; cut < 22; cut++) {
            PassLayout two = new PassLayout(2, false);
            HandMade by = new HandMade(two, 0, WEIGHT);
            ExactNewton whole = new ExactNewton(two, Family.of(LOGISTIC), SAMPLES, 0, TARGET);
            ExactNewton cutUp = whole;
            for (int k = 0; k < 22; k++) {
                if (k == cut) {
                    cutUp = HandMade.restored(whole, new ExactNewton(two, Family.of(LOGISTIC), SAMPLES, 0, TARGET));
                }
                assertThat(cutUp.point()).isEqualTo(whole.point());
                assertThat(cutUp.passSums()).isEqualTo(whole.passSums());
                ExactNewton[] both = cutUp == whole ? new ExactNewton[] {whole} : new ExactNewton[] {whole, cutUp};
                for (ExactNewton one : both) {
                    // A little lower each time, but for a step that leads up, one that is hurried, and a look ahead.
                    double slope = Math.pow(0.8, k);
                    double objective = k == 3 || (one.passSums() == PassSums.GRADIENT && k > 5) ? 10 : slope;
                    double[] hessian =
                            one.passSums() == PassSums.HESSIAN ? new double[] {slope, slope, slope} : new double[0];
                    one.take(by.totals(one, objective, new double[] {-slope, -slope}, hessian));
                    one.advance();
                    if (k == 7) {
                        one.useAllSamples();
                    }
                }
            }
            assertThat(cutUp.point()).isEqualTo(whole.point());
            assertThat(cutUp.exactness()).isEqualTo(whole.exactness());
            assertThat(cutUp.certifies()).isEqualTo(whole.certifies());
        }
    }

    /** The second of three columns is twice the first. */
    @Test
    void aColumnInTheMiddleIsLeftOutWithAllThatItHasToDoWithOthers() {
        PassLayout three = new PassLayout(3, false);
        ExactNewton one = new ExactNewton(three, Family.of(SQUARED), SAMPLES, 0, TARGET);
        HandMade by = new HandMade(three, 0, WEIGHT);
        double[] hessian = {4, 8, 16, 6, 12, 25};

        one.take(by.totals(one, 5, new double[] {4, 8, 6}, hessian));
        one.advance();

        // (4 6; 6 25)(1, 0) = (4, 6).
        assertThat(one.exactness().aliased()).containsExactly(1);
        assertThat(one.point()).containsExactly(new double[] {-1, 0, 0}, within(1e-14));
        one.take(by.totals(one, 0.5, new double[] {0x1p-40, 0, 0}, hessian));
        one.advance();
        assertThat(one.passSums()).isEqualTo(PassSums.PROOF);
        one.take(by.totals(one, 0.5, 0x1p-40, 0, 0));
        // ν² = 25/64 · 2⁻⁸⁰; of the deviation, 50 rows have two coefficients.
        double nu = 0.625 * 0x1p-40;
        double deviation = Math.sqrt(2 * 0.5 * WEIGHT / (SAMPLES - 2));
        assertThat(one.gap()).isCloseTo(nu * nu / 2, within(1e-12 * nu * nu));
        assertThat(one.exactness().standardErrors()).isCloseTo(2 * nu / deviation, within(2e-3 * nu / deviation));
    }

    /** Each of them counts as one that brings nothing down, and so does the next from the same point. */
    @Test
    void stepsThatAllLeadUpEndInAProof() {
        ExactNewton stuck = new ExactNewton(ONE, Family.of(SQUARED), SAMPLES, 0, TARGET);
        int hessians = 0;
        for (int pass = 0; pass < 200 && stuck.passSums() != PassSums.PROOF; pass++) {
            boolean begins = stuck.passSums() == PassSums.HESSIAN && stuck.point()[0] == 0;
            hessians += begins ? 1 : 0;
            stuck.take(begins ? hand.totals(stuck, 1, new double[] {-1}, new double[] {1}) : hand.tooLarge(stuck));
            stuck.advance();
        }

        assertThat(stuck.passSums()).isEqualTo(PassSums.PROOF);
        assertThat(stuck.point()).containsExactly(0);
        assertThat(hessians).isEqualTo(7);
    }
}
