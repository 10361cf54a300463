package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every decision of Newton's method with Hessians, on totals made by hand. */
class DirectNewtonTest {

    private static final double LAMBDA = 1;
    private static final PassLayout ONE = new PassLayout(1, false);
    private static final PassLayout TWO = new PassLayout(2, false);

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

    private void tell(double objective, double gradient) {
        newton.take(hand.totals(newton, objective, gradient));
        newton.advance();
    }

    private double point() {
        return newton.point()[0];
    }

    @Test
    void aStepSolvesWithTheHessian() {
        HandMade two = new HandMade(TWO, LAMBDA, 3);
        DirectNewton plane = new DirectNewton(TWO, 10, LAMBDA);
        assertThat(plane.passSums()).isEqualTo(PassSums.HESSIAN);
        assertThat(plane.stride()).isEqualTo(1);

        plane.take(two.totals(plane, 5, new double[] {2, 7}, new double[] {4, 1, 3}));
        plane.advance();

        // (4 1; 1 3)(−1/11, 26/11) = (2, 7).
        assertThat(plane.point()).containsExactly(new double[] {1.0 / 11, -26.0 / 11}, within(1e-15));
    }

    @Test
    void theObjectiveAndItsGapAreThoseOfTheTotals() {
        newton.take(hand.totals(newton, 3, new double[] {-2}, new double[] {1}));

        assertThat(newton.objective()).isEqualTo(3);
        assertThat(newton.gap()).isEqualTo(2);
        assertThat(newton.dual()).isEqualTo(1);
        assertThat(newton.certifies()).isTrue();
    }

    /** The gap is (|g| + spread)²/(2λ) + slack at the most, beside an objective that is too large by the error. */
    @Test
    void roundingMakesTheGapAsLargeAsItMayBe() {
        hand.rounded(0.5, 0.25, 0.125);

        newton.take(hand.totals(newton, 2, new double[] {-1}, new double[] {1}));

        double most = 1.125 * 1.125 / 2 + 0.25;
        assertThat(newton.gap()).isEqualTo(0.5);
        assertThat(newton.error()).isCloseTo(most * 2 / 1.5 - 0.5, within(1e-12));
    }

    @Test
    void whatIsComputedIsNeverTakenForExact() {
        stepToOne();

        newton.take(hand.totals(newton, 1, new double[] {-1}, new double[] {1}));

        // Losses are added up in blocks of 256, slopes take a few operations, and so does what is made of them.
        double gap = 0.5;
        double loss = 0.5;
        assertThat(newton.error())
                .isBetween(Rounding.UNIT * (256 * gap + 4 * loss), Rounding.UNIT * (2048 * gap + 64 * loss + 64));
    }

    @Test
    void anObjectiveThatMayBeNothingButRoundingProvesNothing() {
        newton.take(hand.rounded(2.5, 0, 0).totals(newton, 2, new double[] {-1}, new double[] {1}));

        assertThat(newton.error()).isInfinite();
    }

    @Test
    void anObjectiveOfNothingIsTheOptimum() {
        newton.take(hand.totals(newton, 0, new double[] {0}, new double[] {1}));

        assertThat(newton.gap()).isZero();
        assertThat(newton.error()).isZero();
    }

    @Test
    void totalsThatAreTooLargeProveNothing() {
        stepToOne();

        newton.take(hand.tooLarge(newton));

        assertThat(newton.objective()).isInfinite();
        assertThat(newton.gap()).isInfinite();
        assertThat(newton.error()).isInfinite();
        newton.advance();
        assertThat(point()).isCloseTo(0.1, within(1e-15));
    }

    /** A ten-thousandth of what the slope has promised, which is 1. */
    @ParameterizedTest
    @CsvSource({"0.99989,true", "0.9999,true", "0.99991,false", "1.5,false"})
    void aStepIsKeptThatBringsTheObjectiveDownEnough(double objective, boolean kept) {
        stepToOne();

        // As steep as it was, so that only the objective can speak for the step; the next would lead on to 2.
        tell(objective, -1, 1);

        assertThat(point() > 1).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({"0.99995,0.99,true", "0.99995,1.01,false", "1,0.99,true", "1.000000001,0.01,false"})
    void orThatShrinksTheGapAndDoesNotLeadUp(double objective, double slope, boolean kept) {
        stepToOne();

        tell(objective, -slope, 1);

        assertThat(point() > 1).isEqualTo(kept);
    }

    /** 2⁻⁴⁴ of the objective is what rounding may add to it. */
    @Test
    void whatRoundingMayAddIsForgiven() {
        // A slope of 2⁻⁴⁰ whose promise drowns in an objective of 2¹⁰; gaps do not shrink.
        tell(1024, -0x1p-20, 1);
        assertThat(point()).isEqualTo(0x1p-20);
        DirectNewton other = HandMade.restored(newton, new DirectNewton(ONE, 10, LAMBDA));

        tell(1024 + 0.9 * 0x1p-34, -0x1p-20);
        assertThat(point()).isGreaterThan(0x1p-20);

        other.take(hand.totals(other, 1024 + 1.1 * 0x1p-34, -0x1p-20));
        other.advance();
        assertThat(other.point()[0]).isLessThan(0x1p-20);
    }

    /** 1 − t + t²/2 + 4t³ has its minimum at 1/4; at 1 it is 4.5 and rises with slope 12. */
    @Test
    void aStepThatLeadsUpIsShortenedToWhereTheCubicIsLowest() {
        stepToOne();

        tell(4.5, 12, 1);

        assertThat(point()).isCloseTo(0.25, within(1e-15));
        tell(1.05, 0.5, 1);
        assertThat(point()).isCloseTo(lowestOfCubic(0.25, 1, -1, 1.05, 0.5), within(1e-12));
    }

    /** Where its slope is nearest to 0 while it rises, by trying. */
    private static double lowestOfCubic(double length, double f0, double s0, double f1, double s1) {
        double b = (3 * (f1 - f0) / length - 2 * s0 - s1) / length;
        double a = (s0 + s1 - 2 * (f1 - f0) / length) / (length * length);
        double best = 0;
        double flattest = Double.POSITIVE_INFINITY;
        double from = 0;
        double to = length;
        for (int round = 0; round < 6; round++) {
            double width = (to - from) / 1000;
            for (int k = 0; k <= 1000; k++) {
                double t = from + k * width;
                double slope = Math.abs(s0 + 2 * b * t + 3 * a * t * t);
                if (2 * b + 6 * a * t > 0 && slope < flattest) {
                    flattest = slope;
                    best = t;
                }
            }
            from = Math.max(0, best - width);
            to = Math.min(length, best + width);
        }
        return best;
    }

    @ParameterizedTest
    @CsvSource({"1,0,-1,0.5,3", "2,0,-1,0,1", "1,0,-2,0.5,3", "4,7,-1,9,2", "1,5,-3,4.9,0.5"})
    void theLowestPointOfACubicIsWhereItsSlopeIsNone(double length, double f0, double s0, double f1, double s1) {
        double expected = lowestOfCubic(length, f0, s0, f1, s1) / length;

        assertThat(Newton.lowest(length, f0, s0, f1, s1)).isCloseTo(expected, within(1e-9));
    }

    @Test
    void aShorterStepIsNeitherNothingNorNearlyTheSame() {
        assertThat(Newton.lowest(1, 0, -1, 1e9, 1e9)).isEqualTo(0.1);
        assertThat(Newton.lowest(1, 0, -1, -0.99, 1e-9)).isEqualTo(0.9);
        assertThat(Newton.lowest(1, 0, -1, Double.POSITIVE_INFINITY, Double.NaN))
                .isEqualTo(0.1);
    }

    /** The step that was shortened to a quarter has a quarter of the promise to keep. */
    @ParameterizedTest
    @CsvSource({"0.99998,false", "0.99997,true"})
    void aShorterStepHasLessToKeep(double objective, boolean kept) {
        stepToOne();
        tell(4.5, 12, 1);

        tell(objective, -1, 1);

        assertThat(point() > 0.25).isEqualTo(kept);
    }

    /** −slope is g²/H. */
    @ParameterizedTest
    @CsvSource({"1,0.0101,HESSIAN", "1,0.0099,GRADIENT", "10,0.0101,GRADIENT", "10,0.101,HESSIAN"})
    void aHessianIsSummedUpAgainAfterAStepThatMatters(double objective, double promised, PassSums next) {
        tell(objective, -Math.sqrt(promised), 1);

        assertThat(newton.passSums()).isEqualTo(next);
    }

    /** Where the gap is more than half of what it was. */
    @ParameterizedTest
    @CsvSource({"0.051,GRADIENT", "0.069,GRADIENT", "0.072,HESSIAN"})
    void aHessianIsKeptAsLongAsItServes(double slope, PassSums next) {
        tell(1, -0.1, 2);
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(point()).isCloseTo(0.05, within(1e-15));

        tell(0.996, -slope);

        assertThat(newton.passSums()).isEqualTo(next);
        // The slope has changed by so much on 1/20, which the next step goes by.
        assertThat(point()).isCloseTo(0.05 + slope * 0.05 / (0.1 - slope), within(1e-12));
    }

    @Test
    void aStepWithAHessianOfElsewhereThatLeadsUpIsTakenBack() {
        tell(1, -0.1, 2);
        tell(0.996, -0.01);
        double here = 0.05;
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);

        tell(1.5, 3);

        assertThat(point()).isCloseTo(here, within(1e-15));
        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
        // With a Hessian the same point is one to begin from again, whatever it was.
        tell(0.996, -0.01, 4);
        assertThat(point()).isCloseTo(here + 0.0025, within(1e-15));
    }

    @Test
    void aStepWithTheHessianOfItsOwnPointIsShortened() {
        tell(1, -0.1, 2);

        tell(1.5, 3);

        assertThat(point()).isBetween(0.005 - 1e-15, 0.045);
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    @Test
    void withoutHessiansAStepThatLeadsUpIsShortened() {
        tell(1, -0.1, 2);
        newton.doWithoutHessians();
        tell(0.996, -0.09);
        double next = point();
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);

        tell(1.5, 3);

        assertThat(point()).isBetween(0.05, next);
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    /** Of 20,000 rows every eighth. */
    private final DirectNewton sampled = new DirectNewton(ONE, 20_000, 1e-9);

    private final HandMade sample = new HandMade(ONE, 1e-9, 2500);

    @Test
    void manyRowsAreBegunWithASample() {
        assertThat(sampled.stride()).isEqualTo(8);
        assertThat(sampled.certifies()).isFalse();
        assertThat(new DirectNewton(ONE, 16_383, 1e-9).stride()).isEqualTo(1);
    }

    @Test
    void aPointThatIsWorthSomethingIsBegunWithAllRows() {
        sampled.beginAt(new double[] {0.5});

        assertThat(sampled.stride()).isEqualTo(1);
        assertThat(sampled.point()).containsExactly(0.5);
    }

    /** 30/2500 of the curvature by 2500. */
    @Test
    void aSampleHasARidgeThatKeepsWeightsFromRunningAway() {
        sampled.take(sample.totals(PassSums.HESSIAN, new double[1], 0, 0, 1, new double[] {-1}, new double[] {2}));

        double ridge = 30.0 / 2500 * 2 / 2500;
        assertThat(sampled.gap()).isCloseTo(1 / (2 * ridge), within(1e-3));
        sampled.advance();
        assertThat(sampled.point()[0]).isCloseTo(1 / (2 + ridge), within(1e-12));
        assertThat(sampled.stride()).isEqualTo(8);
    }

    @Test
    void theRidgeIsNoLessThanLambdaAndNoMoreThanTheCurvatureByTheRows() {
        DirectNewton held = new DirectNewton(ONE, 20_000, 0.5);
        held.take(sample.totals(PassSums.HESSIAN, new double[1], 0, 0, 1, new double[] {-1}, new double[] {2}));
        assertThat(held.gap()).isEqualTo(1);

        // Rows that weigh so little together that there are hardly more of them than features.
        HandMade light = new HandMade(ONE, 1e-9, 10);
        sampled.take(light.totals(PassSums.HESSIAN, new double[1], 0, 0, 1, new double[] {-1}, new double[] {2}));
        assertThat(sampled.gap()).isCloseTo(1 / (2 * 0.2), within(1e-12));
    }

    /** With the slope 1/2 and the loss 2, a curvature of 1/16 brings a step of 8 to 0. */
    @Test
    void aSampleWhoseLossesAreStraightLinesHasTheRidgeOfAGuess() {
        sampled.take(sample.totals(PassSums.HESSIAN, new double[1], 0, 0, 2, new double[] {-0.5}, new double[] {0}));

        double ridge = 30.0 / 2500 * 0.0625 / 2500;
        assertThat(sampled.gap()).isCloseTo(0.125 / ridge, within(1e-3));
    }

    @Test
    void theRidgeOfASampleCountsTheWholeDiagonal() {
        PassLayout three = new PassLayout(3, false);
        DirectNewton many = new DirectNewton(three, 20_000, 1e-9);
        double[] hessian = {2, 0.1, 3, 0.1, 0.1, 5};

        many.take(new HandMade(three, 1e-9, 2500)
                .totals(PassSums.HESSIAN, new double[3], 0, 0, 1, new double[] {1, 1, 1}, hessian));

        double ridge = 90.0 / 2500 * 10 / 2500;
        assertThat(many.gap()).isCloseTo(3 / (2 * ridge), within(1e-6));
    }

    /** Half of what the slope promises, beside a tenth of objective · features · 8 / 20,000 = 4e-5. */
    @ParameterizedTest
    @CsvSource({"3.9e-5,true", "4.1e-5,false"})
    void moreRowsAreTakenOnceASampleHasToldWhatItCan(double promised, boolean told) {
        double slope = Math.sqrt(2 * promised * 2);

        sampled.take(sample.totals(PassSums.HESSIAN, new double[1], 0, 0, 1, new double[] {-slope}, new double[] {2}));
        sampled.advance();

        assertThat(sampled.stride()).isEqualTo(told ? 1 : 8);
        // 2500 rows for one feature have as good a Hessian as any.
        assertThat(sampled.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    @Test
    void theFirstPointOfMoreRowsHasNothingToBeComparedWith() {
        sampled.take(sample.totals(PassSums.HESSIAN, new double[1], 0, 0, 1, new double[] {-1e-3}, new double[] {2}));
        sampled.advance();
        assertThat(sampled.stride()).isEqualTo(1);
        double here = sampled.point()[0];
        assertThat(here).isCloseTo(5e-4, within(1e-8));

        // Much higher than the objective of the sample was, and steeper.
        sampled.take(new HandMade(ONE, 1e-9, 20_000).totals(sampled, 7, -0.5));
        sampled.advance();

        assertThat(sampled.gap()).isCloseTo(0.125e9, within(1.0));
        assertThat(sampled.point()[0]).isCloseTo(here + 0.25, within(1e-4));
    }

    @Test
    void fewerRowsThanAHessianIsKnownFromHaveAnotherHessian() {
        PassLayout ten = new PassLayout(10, false);
        DirectNewton few = new DirectNewton(ten, 39_999, 1e-9);
        DirectNewton enough = new DirectNewton(ten, 40_000, 1e-9);
        for (DirectNewton one : new DirectNewton[] {few, enough}) {
            assertThat(one.stride()).isEqualTo(8);
            double[] hessian = new double[55];
            for (int c = 0, at = 0; c < 10; at += ++c + 1) {
                hessian[at] = 1;
            }
            one.take(new HandMade(ten, 1e-9, 5000)
                    .totals(PassSums.HESSIAN, new double[10], 0, 0, 1, new double[10], hessian));
            one.advance();
            assertThat(one.stride()).isEqualTo(1);
        }

        assertThat(few.passSums()).isEqualTo(PassSums.HESSIAN);
        assertThat(enough.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    @Test
    void takingAllRowsMakesTheNextPassACertificate() {
        sampled.take(sample.totals(PassSums.HESSIAN, new double[1], 0, 0, 1, new double[] {-1}, new double[] {2}));
        sampled.advance();
        double[] here = sampled.point().clone();

        sampled.useAllSamples();

        assertThat(sampled.stride()).isEqualTo(1);
        assertThat(sampled.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(sampled.certifies()).isTrue();
        assertThat(sampled.point()).containsExactly(here);
        // It is the first of its rows: what it has for an objective is no reason to go back.
        sampled.take(new HandMade(ONE, 1e-9, 20_000).totals(sampled, 70, -0.5));
        sampled.advance();
        assertThat(sampled.point()[0]).isGreaterThan(here[0]);
    }

    @Test
    void takingAllRowsForgetsNothingWhereAllWereTaken() {
        stepToOne();

        newton.useAllSamples();
        tell(4.5, 12);

        assertThat(point()).isCloseTo(0.25, within(1e-15));
    }

    /** An intercept that nothing holds moves by its own curvature, and in a sample it is held with the others. */
    @Test
    void aFreeInterceptIsNotRegularised() {
        PassLayout free = new PassLayout(2, true);
        DirectNewton one = new DirectNewton(free, 10, LAMBDA);
        one.beginAt(new double[] {2, 3});
        HandMade both = new HandMade(free, LAMBDA, 4);

        one.take(both.totals(one, 5, new double[] {1, 0}, new double[] {4, 0, 2}));

        assertThat(one.objective()).isEqualTo(5);
        assertThat(one.gradient).containsExactly(1, 0);
        one.advance();
        assertThat(one.point()).containsExactly(new double[] {1.75, 3}, within(1e-15));
    }

    @Test
    void aFreeInterceptWithoutCurvatureGoesNoFurtherThanTwiceToTheBottom() {
        PassLayout free = new PassLayout(2, true);
        DirectNewton one = new DirectNewton(free, 10, LAMBDA);

        one.take(new HandMade(free, LAMBDA, 4).totals(one, 5, new double[] {0, 0.5}, new double[] {4, 0, 0}));
        one.advance();

        // Slope²/(2 · objective) = 1/40.
        assertThat(one.point()).containsExactly(new double[] {0, -20}, within(1e-12));
    }

    @Test
    void inASampleTheInterceptIsHeldToo() {
        PassLayout free = new PassLayout(2, true);
        DirectNewton one = new DirectNewton(free, 20_000, 0.5);

        one.take(new HandMade(free, 0.5, 2500)
                .totals(PassSums.HESSIAN, new double[2], 0, 0, 1, new double[] {0, 1}, new double[] {1, 0, 1}));
        one.advance();

        assertThat(one.point()).containsExactly(new double[] {0, -1 / 1.5}, within(1e-12));
    }

    /** The totals, the sum's Hessian without the ridge, and that it is not worn. */
    @Test
    void lessonsAreTheTotalsAndTheHessian() {
        HandMade two = new HandMade(TWO, LAMBDA, 3);
        DirectNewton plane = new DirectNewton(TWO, 10, LAMBDA);
        assertThat(plane.lessons()).isEmpty();
        double[] totals = two.totals(plane, 5, new double[] {2, 7}, new double[] {4, 1, 3});

        plane.take(totals);

        double[] expected = Arrays.copyOf(totals, totals.length + 1);
        assertThat(plane.lessons()).containsExactly(expected, within(1e-14));
    }

    @Test
    void totalsOfASampleAndTotalsThatAreTooLargeTeachNothing() {
        sampled.take(sample.totals(PassSums.HESSIAN, new double[1], 0, 0, 1, new double[] {-1}, new double[] {2}));
        assertThat(sampled.lessons()).isEmpty();

        stepToOne();
        newton.take(hand.tooLarge(newton));
        assertThat(newton.lessons()).isEmpty();
    }

    private NewtonStart known(double[] totals, double[] hessian, boolean worn) {
        return new NewtonStart(new double[] {0.5}, totals, hessian, worn, false);
    }

    @Test
    void aHessianOfElsewhereServesForTheFirstStep() {
        double[] lent = hand.totals(PassSums.HESSIAN, new double[1], 1, 1, 9, new double[] {9}, new double[] {4});

        newton.begin(known(new double[0], lent, false));

        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(point()).isEqualTo(0.5);
        tell(1, -1);
        assertThat(point()).isEqualTo(0.75);
        // It is none of this problem's own, to be passed on.
        assertThat(newton.lessons()).hasSize(ONE.length(PassSums.GRADIENT));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void knownTotalsAreThoseOfTheFirstPass(boolean worn) {
        double[] known =
                hand.totals(PassSums.HESSIAN, new double[] {0.5}, 1, 1, 1, new double[] {-1}, new double[] {4});

        newton.begin(known(known, known, worn));

        assertThat(point()).isEqualTo(0.75);
        assertThat(newton.passSums()).isEqualTo(worn ? PassSums.HESSIAN : PassSums.GRADIENT);
        assertThat(newton.objective()).isEqualTo(1);
    }

    @Test
    void aWornHessianHasToDoWhereNoOtherMayBeSummedUp() {
        double[] known =
                hand.totals(PassSums.HESSIAN, new double[] {0.5}, 1, 1, 1, new double[] {-1}, new double[] {4});
        newton.doWithoutHessians();

        newton.begin(known(known, known, true));

        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    @Test
    void whereNothingButAPointIsKnownAHessianComesFirst() {
        newton.begin(NewtonStart.at(new double[] {0.5}));

        assertThat(newton.passSums()).isEqualTo(PassSums.HESSIAN);
        assertThat(point()).isEqualTo(0.5);
    }

    /** What was saved goes on as what was not, whatever comes. */
    @Test
    void whatIsSavedIsTakenUp() {
        double[][] passes = {{1, -0.1, 2}, {0.996, -0.07, 0}, {0.999, 0.2, 0}, {0.995, -0.06, 1}, {0.994, 0.01, 1}};
        for (int cut = 0; cut < passes.length; cut++) {
            DirectNewton whole = new DirectNewton(ONE, 10, LAMBDA);
            Newton cutUp = new DirectNewton(ONE, 10, LAMBDA);
            for (int k = 0; k < passes.length; k++) {
                if (k == cut) {
                    cutUp = HandMade.restored(cutUp, new DirectNewton(ONE, 10, LAMBDA));
                }
                assertThat(cutUp.point()).isEqualTo(whole.point());
                assertThat(cutUp.passSums()).isEqualTo(whole.passSums());
                for (Newton one : new Newton[] {whole, cutUp}) {
                    double[] hessian =
                            one.passSums() == PassSums.HESSIAN ? new double[] {1 + passes[k][2]} : new double[0];
                    one.take(hand.totals(one, passes[k][0], new double[] {passes[k][1]}, hessian));
                    one.advance();
                }
            }
            assertThat(cutUp.point()).isEqualTo(whole.point());
            assertThat(cutUp.lessons()).isEqualTo(whole.lessons());
            assertThat(new double[] {cutUp.objective(), cutUp.gap(), cutUp.error()})
                    .containsExactly(whole.objective(), whole.gap(), whole.error());
        }
    }

    @Test
    void theGuessCountsAllFeatures() {
        DirectNewton plane = new DirectNewton(TWO, 20_000, 1e-9);
        double[] straight = new double[3];

        plane.take(new HandMade(TWO, 1e-9, 2500)
                .totals(PassSums.HESSIAN, new double[2], 0, 0, 2, new double[] {0.5, 1}, straight));

        double ridge = 60.0 / 2500 * 1.25 / 4 / 2500;
        assertThat(plane.gap()).isCloseTo(1.25 / (2 * ridge), within(1e-3));
    }

    @Test
    void aHessianOfElsewhereIsSaved() {
        double[] lent = hand.totals(PassSums.HESSIAN, new double[1], 1, 1, 9, new double[] {9}, new double[] {4});
        newton.begin(known(new double[0], Arrays.copyOf(lent, lent.length + 1), false));

        DirectNewton other = HandMade.restored(newton, new DirectNewton(ONE, 10, LAMBDA));
        other.take(hand.totals(other, 1, -1));
        other.advance();

        assertThat(other.point()).containsExactly(0.75);
    }

    /** At the optimum nothing is left but what a loss and its slope are wrong by. */
    @Test
    void aGapOfNothingIsAsLargeAsTheRoundingOfLosses() {
        newton.take(hand.totals(newton, 1, new double[] {0}, new double[] {1}));

        assertThat(newton.gap()).isZero();
        assertThat(newton.error()).isBetween(2 * Rounding.UNIT, 64 * Rounding.UNIT);
    }

    /** λθ is 2⁵⁰ and rounded to eighths, however small the gradient is that it leaves. */
    @Test
    void theRegularisersPartOfTheGradientIsRoundedToo() {
        newton.beginAt(new double[] {0x1p50});

        newton.take(hand.totals(newton, 0x1p99, new double[] {1}, new double[] {1}));

        assertThat(newton.gap()).isEqualTo(0.5);
        // The objective is so large that the dual value is rounded to it, which the error makes up for.
        assertThat(newton.objective() - newton.dual() + newton.error()).isBetween(1.125 * 1.125 / 2, 5.0 * 5 / 2);
    }

    /**
     * Slopes of 2 upwards and 1 downwards: half of the former has to go, and with it half of their Σ s x, and of all
     * losses as much.
     */
    @Test
    void aFreeInterceptNeedsSlopesThatAddUpToNothing() {
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
        assertThat(one.error()).isCloseTo(most * 5 / 4.9 - gap, within(1e-11));
    }
}
