package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every decision of a search along a line, on totals made by hand. */
class QuasiNewtonTest {

    private static final double LAMBDA = 1;
    private static final PassLayout ONE = new PassLayout(1, false);

    private final HandMade hand = new HandMade(ONE, LAMBDA, 4);
    private final QuasiNewton newton = new QuasiNewton(ONE, LAMBDA, false);

    private void tell(double objective, double gradient) {
        newton.take(hand.totals(newton, objective, gradient));
        newton.advance();
    }

    private double point() {
        return newton.point()[0];
    }

    /** The objective is 8 at 0 and falls by 4 for each unit, so that a line would be at 0 in 2. */
    @BeforeEach
    void stepToTwo() {
        tell(8, -4);
    }

    @Test
    void theFirstStepIsWhatWouldBringALineToNothing() {
        assertThat(point()).isEqualTo(2);
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(newton.stride()).isEqualTo(1);
        assertThat(newton.certifies()).isTrue();
    }

    /** A secant's step: the slope has changed by 3 in 2 and 1 is left. */
    @Test
    void aStepThatBringsTheObjectiveDownAndFlattensItIsKept() {
        tell(3, -1);

        assertThat(point()).isCloseTo(2 + 2.0 / 3, within(1e-14));
    }

    /** A ten-thousandth of the 8 that the slope has promised; the slope is steeper there than before, upwards. */
    @ParameterizedTest
    @CsvSource({"7.99915,true", "7.99925,false"})
    void aStepHasToBringTheObjectiveDownByAPartOfWhatItsSlopePromised(double objective, boolean kept) {
        tell(objective, 5);

        double secant = 2 - 5 * 2.0 / 9;
        if (kept) {
            assertThat(point()).isCloseTo(secant, within(1e-14));
        } else {
            assertThat(point()).isCloseTo(2 * Newton.lowest(2, 8, -16, objective, 20), within(0.2));
            assertThat(point()).isNotCloseTo(secant, within(1e-6));
        }
    }

    /** Where the objective is no lower, the slope has to be flatter than it was, by twice the part. */
    @ParameterizedTest
    @CsvSource({"8,3.999,true", "8,3.9995,false", "8.0000000000004,3.9,true", "8.00000000001,3.9,false"})
    void whereItDrownsInRoundingTheSlopesTellOfIt(double objective, double slope, boolean kept) {
        tell(objective, slope);

        double secant = 2 - slope * 2 / (4 + slope);
        assertThat(Math.abs(point() - secant) < 1e-9 || isAccepted(objective, slope))
                .isEqualTo(kept);
    }

    /** In the middle the secant and the cubic are at the same place; what follows is not. */
    private boolean isAccepted(double objective, double slope) {
        return newton.originObjective() == objective && newton.originGradient[0] == slope;
    }

    @Test
    void aStepThatLeadsUpIsShortenedToWhereTheCubicIsLowest() {
        // 8 − 4t + 3.75t² − 0.25t³ is 13 at 2 and has the slope 8.
        tell(13, 8);

        double lowest = (7.5 - Math.sqrt(7.5 * 7.5 - 4 * 0.75 * 4)) / (2 * 0.75);
        assertThat(point()).isCloseTo(lowest, within(1e-14));
    }

    /** Less than a tenth flatter: the slope would be 0 only in so many such steps, between 2 and 10 of them. */
    @ParameterizedTest
    @CsvSource({"-3.7,10", "-4,10", "-4.5,10", "-3.605,10", "-3.59,0"})
    void aStepAfterWhichItFallsAsFastAsBeforeIsTooShort(double slope, double times) {
        tell(1, slope);

        double secant = 2 - slope * 2 / (4 + slope);
        assertThat(point()).isCloseTo(times > 0 ? times * 2 : secant, within(1e-13));
    }

    /** From step 2 to 20 the slope has become −3.7 of −4, and then, after more of a fall, −3.61. */
    @Test
    void theSlopeIsComparedWithWhereTheLineBegan() {
        tell(7, -3.7);
        assertThat(point()).isEqualTo(20);

        tell(5, -3.8);

        assertThat(point()).isEqualTo(200);
    }

    /** Between 2, where it still falls, and 20, where it is higher than at first. */
    @Test
    void aStepBetweenOneTooShortAndOneTooLongIsTried() {
        tell(7, -3.7);

        tell(30, 4);

        // On a line of 18 from 7 with −3.7 to 30 with 4.
        double a = (-3.7 + 4 - 2 * 23.0 / 18) / (18 * 18);
        double b = (3 * 23.0 / 18 + 7.4 - 4) / 18;
        double lowest = (-b + Math.sqrt(b * b + 3 * a * 3.7)) / (3 * a);
        double expected = 2 + Math.min(0.9, Math.max(0.1, lowest / 18)) * 18;
        assertThat(point()).isCloseTo(expected, within(1e-12));

        // It falls there: what is too short is now further on.
        double here = point();
        tell(6, -3.9);
        assertThat(point()).isBetween(here, 20.0);
        double there = point();
        tell(31, 4);
        assertThat(point()).isBetween(here, there);
    }

    @Test
    void whatIsTooLargeToBeAddedUpIsTooFar() {
        newton.take(hand.tooLarge(newton));
        newton.advance();

        assertThat(point()).isCloseTo(0.2, within(1e-15));
    }

    /** Thirty trials that all lead up, each a tenth of the one before. */
    @Test
    void afterThirtyTrialsItBeginsAgainWhereItStood() {
        for (int trial = 1; trial < 30; trial++) {
            newton.take(hand.tooLarge(newton));
            newton.advance();
            assertThat(point()).isPositive();
        }
        newton.take(hand.tooLarge(newton));
        newton.advance();
        assertThat(point()).isZero();

        // The same point has nothing to be compared with, and what follows is a step as at first.
        tell(9, -3);
        assertThat(point()).isEqualTo(3);
    }

    @Test
    void afterThirtyTrialsWhatWasRememberedIsForgotten() {
        tell(3, -1);
        double here = 2;
        for (int trial = 0; trial < 30; trial++) {
            newton.take(hand.tooLarge(newton));
            newton.advance();
        }
        assertThat(point()).isEqualTo(here);

        tell(3, -1);

        // No secant any more: 3 with slope 1 takes 3, as the diagonal has it.
        assertThat(point()).isCloseTo(here + 3, within(1e-12));
    }

    @Test
    void trialsAreCountedFromEveryPointAnew() {
        for (int point = 0; point < 2; point++) {
            for (int trial = 0; trial < 16; trial++) {
                newton.take(hand.tooLarge(newton));
                newton.advance();
            }
            tell(7 - point, -1 + 0.1 * point);
        }
        double kept = point();

        // Of a point to begin again from, 9 with slope 1 would lead 9 away.
        tell(9, -1);
        assertThat(point()).isCloseTo(kept, within(1e-9));
    }

    /** Two features of which the one bends the loss 15 times as much as the regulariser, and the other not at all. */
    @Test
    void withADiagonalTheFirstStepIsScaled() {
        PassLayout two = new PassLayout(2, false);
        QuasiNewton scaled = new QuasiNewton(two, LAMBDA, true);
        assertThat(scaled.passSums()).isEqualTo(PassSums.DIAGONAL);
        double[] sums = new HandMade(two, LAMBDA, 4)
                .totals(PassSums.DIAGONAL, scaled.point(), LAMBDA, 2, 8, new double[] {-4, 1}, new double[0]);
        sums[two.hessian()] = 4 * 15;

        scaled.take(sums);
        scaled.advance();

        assertThat(scaled.passSums()).isEqualTo(PassSums.GRADIENT);
        // A quarter of the gradient in the first, and so long that a line would be at 0: −16/4 − 1 = −5 by unit.
        assertThat(scaled.point()).containsExactly(new double[] {8.0 / 5, -8.0 / 5}, within(1e-14));
    }

    @Test
    void aFreeInterceptIsNotRegularised() {
        PassLayout free = new PassLayout(2, true);
        QuasiNewton one = new QuasiNewton(free, LAMBDA, false);
        one.beginAt(new double[] {2, 3});

        one.take(new HandMade(free, LAMBDA, 4).totals(one, 5, 1, 0));

        assertThat(one.objective()).isEqualTo(5);
        assertThat(one.gradient).containsExactly(1, 0);
        assertThat(one.gap()).isEqualTo(0.5);
    }

    /** What was saved goes on as what was not, whatever comes. */
    @Test
    void whatIsSavedIsTakenUp() {
        double[][] passes = {{8, -4}, {7, -3.7}, {30, 4}, {6, -3.8}, {31, 4}, {5, -1}, {4.5, 0.5}};
        for (int cut = 0; cut < passes.length; cut++) {
            QuasiNewton whole = new QuasiNewton(ONE, LAMBDA, false);
            QuasiNewton cutUp = new QuasiNewton(ONE, LAMBDA, false);
            for (int k = 0; k < passes.length; k++) {
                if (k == cut) {
                    cutUp = HandMade.restored(cutUp, new QuasiNewton(ONE, LAMBDA, true));
                }
                assertThat(cutUp.point()).isEqualTo(whole.point());
                assertThat(cutUp.passSums()).isEqualTo(whole.passSums());
                for (QuasiNewton one : new QuasiNewton[] {whole, cutUp}) {
                    one.take(hand.totals(one, passes[k][0], passes[k][1]));
                    one.advance();
                }
            }
            assertThat(cutUp.point()).isEqualTo(whole.point());
        }
    }

    /** From (0, 0) with slopes (−4, −2) to where a line would be at 0, (1.6, 0.8), with slopes (−1, −1). */
    @Test
    void theSecondStepIsThatOfAMendedDiagonalAndOnePair() {
        PassLayout two = new PassLayout(2, false);
        HandMade both = new HandMade(two, LAMBDA, 4);
        QuasiNewton plane = new QuasiNewton(two, LAMBDA, false);
        plane.take(both.totals(plane, 8, -4, -2));
        plane.advance();
        assertThat(plane.point()).containsExactly(new double[] {1.6, 0.8}, within(1e-15));

        plane.take(both.totals(plane, 3, -1, -1));
        plane.advance();

        // s = (1.6, 0.8) and y = (3, 1): sᵀy = 5.6, yᵀy = 10, sᵀs = 3.2.
        double scale = 10 / 5.6;
        double first = scale - scale * 2.56 / 3.2 + 9 / 5.6;
        double second = scale - scale * 0.64 / 3.2 + 1 / 5.6;
        // −H g with H = (I − syᵀ/sᵀy) D⁻¹ (I − ysᵀ/sᵀy) + ssᵀ/sᵀy.
        double along = (1.6 + 0.8) / 5.6;
        double q0 = (1 - along * 3) / first;
        double q1 = (1 - along) / second;
        double back = (3 * q0 + q1) / 5.6;
        double[] expected = {1.6 + q0 + (along - back) * 1.6, 0.8 + q1 + (along - back) * 0.8};
        assertThat(plane.point()).containsExactly(expected, within(1e-13));
    }
}
