package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every decision of Newton's method with an l1 term, on totals made by hand. */
class ProximalNewtonTest {

    private static final double LAMBDA = 0.5;
    private static final double L1 = 0.25;
    private static final PassLayout ONE = new PassLayout(1, false);
    private static final PassLayout TWO = new PassLayout(2, false);

    private final HandMade hand = new HandMade(ONE, LAMBDA, 4);
    private final HandMade two = new HandMade(TWO, LAMBDA, 4);
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

    /** (g + H t) = −λ₁ where t is positive. */
    @ParameterizedTest
    @CsvSource({"-1,1,0.75", "-1,2,0.375", "0.75,1,-0.5", "0.2,1,0", "-0.25,1,0"})
    void aStepLeadsToTheMinimumOfTheModel(double gradient, double curvature, double expected) {
        tell(newton, hand, 1, gradient, curvature);

        assertThat(point()).isCloseTo(expected, within(1e-15));
    }

    @Test
    void aStepLeadsToTheMinimumOfTheModelWithTwoFeatures() {
        ProximalNewton plane = new ProximalNewton(TWO, 10, LAMBDA, L1, true);
        plane.beginAt(new double[] {1, -2});

        plane.take(two.totals(plane, 5, new double[] {2, 7}, new double[] {4, 1, 3}));
        plane.advance();

        // The first ends above 0 and the second below, so that (4 1; 1 3)s = −(2 + 1/4, 7 − 1/4).
        double first = -(3 * 2.25 - 6.75) / 11;
        double second = -(4 * 6.75 - 2.25) / 11;
        assertThat(plane.point()).containsExactly(new double[] {1 + first, -2 + second}, within(1e-12));
    }

    /** λ₁|θ| is part of the objective, but not of what is told. */
    @Test
    void theObjectiveHasThePriceAndTheGapIsThatOfANet() {
        newton.beginAt(new double[] {-2});

        newton.take(hand.totals(newton, 3, new double[] {0.5}, new double[] {1}));

        assertThat(newton.objective()).isCloseTo(3.5, within(1e-15));
        // The gradient of what is smooth is λθ − u, so that u = −1.5: soft(u) = −1.25 and λθ − soft(u) = 0.25.
        assertThat(newton.gap()).isCloseTo(0.25 * 0.25 / (2 * LAMBDA), within(1e-14));
    }

    @Test
    void roundingMakesTheGapAsLargeAsItMayBe() {
        newton.beginAt(new double[] {-2});

        newton.take(hand.rounded(0.5, 0.25, 0.125).totals(newton, 3, new double[] {0.5}, new double[] {1}));

        double most = 0.375 * 0.375 / (2 * LAMBDA) + 0.25;
        assertThat(newton.error()).isCloseTo(most * 3.5 / 3 - newton.gap(), within(1e-12));
    }

    @Test
    void aFreeInterceptHasNoPrice() {
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
    void aFreeInterceptNeedsSlopesThatAddUpToNothing() {
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
    void aStepIsKeptThatBringsTheObjectiveDown(double objective, boolean kept) {
        tell(newton, hand, 1, -1, 1);
        assertThat(point()).isEqualTo(0.75);

        // Its price is 3/16; it rises so much there that the gap has grown, and a whole step from there leads far back.
        tell(newton, hand, objective - 0.1875, 3, 1);

        assertThat(point() < 0).isEqualTo(kept);
    }

    /** The price's slope is part of the slope at the other end. */
    @Test
    void aStepThatLeadsUpIsShortenedToWhereTheCubicIsLowest() {
        tell(newton, hand, 1, -1, 1);

        tell(newton, hand, 2 - 0.1875, 3, 1);

        // On the line of 3/4: from 1 with −0.75 to 2 with 3.25, both by its length.
        double part = Newton.lowest(1, 1, -0.5625, 2, 3.25 * 0.75);
        assertThat(part).isBetween(0.11, 0.89);
        assertThat(point()).isCloseTo(0.75 * part, within(1e-14));
    }

    /** Between Hessians the last one is mended so that it has the slopes at both ends. */
    @Test
    void gradientsMendTheHessian() {
        tell(newton, hand, 1, -0.3, 1);
        assertThat(point()).isCloseTo(0.05, within(1e-15));
        assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);

        // From −0.3 to −0.26 in 1/20 is a curvature of 0.8.
        tell(newton, hand, 0.98, -0.26, 0);

        assertThat(point()).isCloseTo(0.05 + 0.01 / 0.8, within(1e-14));
    }

    @Test
    void aStepAlongWhichTheGradientDoesNotGrowMendsNothing() {
        tell(newton, hand, 1, -0.3, 1);

        tell(newton, hand, 0.98, -0.31, 0);

        assertThat(point()).isCloseTo(0.05 + 0.06, within(1e-14));
    }

    private final ProximalNewton blank = new ProximalNewton(ONE, 100_000, LAMBDA, L1, false);

    @Test
    void withoutHessiansAllRowsAreTakenAndGradientsAlone() {
        assertThat(blank.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(blank.stride()).isEqualTo(1);
        assertThat(blank.lessons()).isEmpty();
    }

    /** g²/(2 · objective) = 2, more than λ; with it the model's minimum is at 1.75/2. */
    @Test
    void withoutHessiansTheFirstStepIsAGuess() {
        tell(blank, hand, 1, -2, 0);

        assertThat(blank.point()[0]).isCloseTo(0.875, within(1e-14));
        // A pass that has no Hessian to pass on teaches its totals.
        assertThat(blank.lessons()).hasSize(ONE.length(PassSums.GRADIENT));
    }

    @Test
    void aGuessIsNoLessThanTheRegulariser() {
        tell(blank, hand, 1, -0.5, 0);

        assertThat(blank.point()[0]).isCloseTo(0.25 / LAMBDA, within(1e-14));
    }

    /** The first pair tells yᵀy/sᵀy for all directions, the next mends that. */
    @Test
    void withoutHessiansTheFirstStepTellsTheScale() {
        ProximalNewton plane = new ProximalNewton(TWO, 10, LAMBDA, 0, false);
        plane.take(two.totals(plane, 1, -1, -1));
        plane.advance();
        // (1 + 1)/2 = 1 is the guess.
        assertThat(plane.point()).containsExactly(new double[] {1, 1}, within(1e-14));

        // It changes by (3/4, 1/2): BFGS from 13/16/(5/4) = 0.65 on the diagonal.
        plane.take(two.totals(plane, 0.25, -0.25, -0.5));
        plane.advance();

        double scale = 0.8125 / 1.25;
        // B = scale(I − ssᵀ/sᵀs) + yyᵀ/sᵀy, solved by hand for −g.
        double a = scale / 2 + 0.5625 / 1.25;
        double b = -scale / 2 + 0.375 / 1.25;
        double d = scale / 2 + 0.25 / 1.25;
        double determinant = a * d - b * b;
        assertThat(plane.point())
                .containsExactly(
                        new double[] {1 + (d * 0.25 - b * 0.5) / determinant, 1 + (a * 0.5 - b * 0.25) / determinant},
                        within(1e-12));
    }

    /** Of a lasso: less than 2⁻⁴⁰ of what is guessed is none, and what is guessed takes its place. */
    @ParameterizedTest
    @CsvSource({"0,2", "1e-13,2.0000000000001", "1e-12,2.000000000001", "1e-11,1e-11", "3,3"})
    void withoutARidgeALossWithoutCurvatureIsHeld(double curvature, double used) {
        ProximalNewton lasso = new ProximalNewton(ONE, 10, 0, L1, true);
        HandMade by = new HandMade(ONE, 0, 4);

        tell(lasso, by, 1, -2, curvature);

        assertThat(lasso.point()[0]).isCloseTo(1.75 / used, within(1e-9 * 1.75 / used));
    }

    @Test
    void withARidgeTheRegulariserHolds() {
        tell(newton, hand, 1, -2, LAMBDA);

        assertThat(point()).isCloseTo(1.75 / LAMBDA, within(1e-14));
    }

    /** Lessons have the matrix as gradients have mended it, less the ridge, and whether it has served for long. */
    @Test
    void lessonsHaveTheHessianThatStepsAreMadeWith() {
        ProximalNewton plane = new ProximalNewton(TWO, 10, LAMBDA, L1, true);
        plane.take(two.totals(plane, 5, new double[] {2, 7}, new double[] {4, 1, 3}));

        double[] lessons = plane.lessons();

        assertThat(lessons).hasSize(TWO.length(PassSums.HESSIAN) + 1);
        assertThat(Arrays.copyOfRange(lessons, TWO.hessian(), lessons.length))
                .containsExactly(new double[] {4 * 3.5, 4, 4 * 2.5, 0}, within(1e-14));
    }

    @Test
    void aHessianIsWornAfterThreePasses() {
        tell(newton, hand, 1, -0.3, 1);
        double[] slopes = {-0.26, -0.251, -0.2501};
        for (int pass = 0; pass < 3; pass++) {
            assertThat(newton.isStale()).isFalse();
            tell(newton, hand, 0.98 - 0.02 * pass, slopes[pass], 1);
            assertThat(newton.passSums()).isEqualTo(PassSums.GRADIENT);
        }

        assertThat(newton.isStale()).isTrue();
        assertThat(newton.lessons()[newton.lessons().length - 1]).isEqualTo(1);
    }

    @Test
    void aProblemThatBeginsWithAHessianHasItsOwnPasses() {
        double[] known =
                hand.totals(PassSums.HESSIAN, new double[] {0.5}, LAMBDA, 1, 1, new double[] {-1}, new double[] {1});
        blank.begin(new NewtonStart(new double[] {0.5}, known, known, false, false));

        assertThat(blank.isStale()).isFalse();
        assertThat(blank.point()[0]).isCloseTo(0.5 + 0.75, within(1e-14));
        assertThat(blank.hessian()).isNotEmpty();
        assertThat(blank.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    @Test
    void whereNothingButAPointIsKnownTheMatrixIsStillAGuess() {
        blank.begin(NewtonStart.at(new double[] {1}));

        assertThat(blank.hessian()).isEmpty();
        tell(blank, hand, 1, -2, 0);
        assertThat(blank.point()[0]).isCloseTo(1 + 1.75 / Math.max(LAMBDA, 2 / 1.25), within(1e-12));
    }

    /** What was saved goes on as what was not, whatever comes. */
    @Test
    void whatIsSavedIsTakenUp() {
        double[][] passes = {{1, -0.3}, {0.98, -0.26}, {1.1, 0.2}, {0.97, -0.255}, {0.969, -0.252}, {0.968, -0.251}};
        for (boolean curved : new boolean[] {true, false}) {
            for (int cut = 0; cut < passes.length; cut++) {
                ProximalNewton whole = new ProximalNewton(ONE, 10, LAMBDA, L1, curved);
                ProximalNewton cutUp = new ProximalNewton(ONE, 10, LAMBDA, L1, curved);
                for (int k = 0; k < passes.length; k++) {
                    if (k == cut) {
                        cutUp = HandMade.restored(cutUp, new ProximalNewton(ONE, 10, LAMBDA, L1, !curved));
                    }
                    assertThat(cutUp.point()).isEqualTo(whole.point());
                    assertThat(cutUp.passSums()).isEqualTo(whole.passSums());
                    tell(whole, hand, passes[k][0], passes[k][1], 1);
                    tell(cutUp, hand, passes[k][0], passes[k][1], 1);
                }
                assertThat(cutUp.point()).isEqualTo(whole.point());
                assertThat(cutUp.lessons()).isEqualTo(whole.lessons());
            }
        }
    }

    @Test
    void withoutHessiansNoneIsEverAskedFor() {
        tell(blank, hand, 1, -2, 0);

        // The gap is larger than it was, and the objective a little lower.
        tell(blank, hand, 0.5, -3, 0);

        assertThat(blank.passSums()).isEqualTo(PassSums.GRADIENT);
        tell(blank, hand, 9, 5, 0);
        assertThat(blank.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    /** Three features: H of the objective, with the conditions of its model's minimum for a proof of that. */
    @Test
    void aStepMeetsTheConditionsOfTheModelsMinimum() {
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

    /** The last of three features has no curvature of its own: 7/2 is guessed for it, (1 + 4 + 9)/(2 · 2). */
    @Test
    void withoutARidgeOnlyAWeightWithoutCurvatureIsHeld() {
        PassLayout three = new PassLayout(3, false);
        ProximalNewton lasso = new ProximalNewton(three, 10, 0, L1, true);

        lasso.take(
                new HandMade(three, 0, 4).totals(lasso, 2, new double[] {-1, -2, -3}, new double[] {4, 0, 2, 0, 0, 0}));
        lasso.advance();

        assertThat(lasso.point()).containsExactly(new double[] {0.75 / 4, 1.75 / 2, 2.75 / 3.5}, within(1e-12));
    }

    @Test
    void whatIsMendedIsTheCurvatureOfTheStep() {
        newton.beginAt(new double[] {1});
        tell(newton, hand, 2, -0.3, 1);
        assertThat(point()).isCloseTo(1.05, within(1e-14));

        // From −0.3 to −0.29 in 1/20, of which 0.04 is left to the price.
        tell(newton, hand, 1.5, -0.29, 0);

        assertThat(point()).isCloseTo(1.05 + 0.04 / 0.2, within(1e-12));
    }

    /** At 0 with u = 2 and the loss 1, what 2α is beyond λ₁ is best λ/2. */
    @Test
    void anUnsureLossCountsAsFarAsItIsScaledAway() {
        ProximalNewton other = new ProximalNewton(ONE, 10, LAMBDA, L1, true);
        newton.take(hand.totals(newton, 1, new double[] {-2}, new double[] {1}));
        other.take(hand.rounded(0.1, 0, 0).totals(other, 1, new double[] {-2}, new double[] {1}));
        double scale = (L1 + LAMBDA / 2) / 2;
        double beyond = 2 * scale - L1;
        double gap = 1 - scale + beyond * beyond / (2 * LAMBDA);

        assertThat(newton.gap()).isCloseTo(gap, within(1e-8));
        assertThat(other.gap()).isEqualTo(newton.gap());
        double most = gap + (1 - scale) * 0.1;
        assertThat(other.error()).isCloseTo(most / 0.9 - gap, within(1e-8));
    }

    /** As in the test of balanced slopes, where the sums may be wrong by 0.3 and 0.05, and the losses by 0.1. */
    @Test
    void whatRoundingDoesToBalancedSlopesIsAddedToo() {
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
