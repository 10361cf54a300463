package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
        double[] hessian = one.order() == PassSums.HESSIAN ? new double[] {curvature} : new double[0];
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
        assertThat(newton.order()).isEqualTo(PassSums.GRADIENT);

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
        assertThat(blank.order()).isEqualTo(PassSums.GRADIENT);
        assertThat(blank.every()).isEqualTo(1);
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

    /** Of a lasso: 0.02 · 1e-13 of curvature is none, and what is guessed takes its place. */
    @ParameterizedTest
    @CsvSource({"0,2", "1e-13,2.0000000000001", "1e-11,1e-11", "3,3"})
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
            assertThat(newton.isWorn()).isFalse();
            tell(newton, hand, 0.98 - 0.02 * pass, slopes[pass], 1);
            assertThat(newton.order()).isEqualTo(PassSums.GRADIENT);
        }

        assertThat(newton.isWorn()).isTrue();
        assertThat(newton.lessons()[newton.lessons().length - 1]).isEqualTo(1);
    }

    @Test
    void aProblemThatBeginsWithAHessianHasItsOwnPasses() {
        double[] known =
                hand.totals(PassSums.HESSIAN, new double[] {0.5}, LAMBDA, 1, 1, new double[] {-1}, new double[] {1});
        blank.begin(new Start(new double[] {0.5}, known, known, false, false));

        assertThat(blank.isWorn()).isFalse();
        assertThat(blank.point()[0]).isCloseTo(0.5 + 0.75, within(1e-14));
        assertThat(blank.hessian()).isNotEmpty();
        assertThat(blank.order()).isEqualTo(PassSums.GRADIENT);
    }

    @Test
    void whereNothingButAPointIsKnownTheMatrixIsStillAGuess() {
        blank.begin(Start.at(new double[] {1}));

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
                    assertThat(cutUp.order()).isEqualTo(whole.order());
                    tell(whole, hand, passes[k][0], passes[k][1], 1);
                    tell(cutUp, hand, passes[k][0], passes[k][1], 1);
                }
                assertThat(cutUp.point()).isEqualTo(whole.point());
                assertThat(cutUp.lessons()).isEqualTo(whole.lessons());
            }
        }
    }
}
