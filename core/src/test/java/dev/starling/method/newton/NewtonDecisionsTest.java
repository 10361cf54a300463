package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.SeparationException;
import dev.starling.method.Shape;
import dev.starling.method.Solution;
import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.network.Network;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.problem.Regulariser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a run of Newton's method goes on, ends, gives up and takes to another way, on totals made by hand. */
class NewtonDecisionsTest {

    private static final int OVERFLOWS = 2;
    private static final double LAMBDA = 1;
    private static final StoppingRule RULE = new StoppingRule(1e-6, 1000);

    /** A loss whose curvature proves nothing. */
    private static final String HUBER = "huber";

    /** A run of two nodes with one feature, and what it has last decided. */
    private static final class Run {
        private final TunedNewton tuned;
        private final StoppingRule rule;
        private final ReleaseLimits limits;
        private final boolean oneOwner;
        private NewtonDecisions decisions;
        private Decision latest;
        private double stops;
        private double error;
        private double[] curvature = {1};

        Run(TunedNewton tuned, StoppingRule rule, ReleaseLimits limits, boolean oneOwner) {
            this.tuned = tuned;
            this.rule = rule;
            this.limits = limits;
            this.oneOwner = oneOwner;
            this.decisions = decisions(Optional.empty());
            this.latest = decisions.latest();
        }

        Run(String loss, double lambda) {
            this(tuned(loss, lambda, 10, 1), RULE, ReleaseLimits.NONE, true);
        }

        Run(String loss, double lambda, ReleaseLimits limits) {
            this(tuned(loss, lambda, 10, 1), RULE, limits, true);
        }

        NewtonDecisions decisions(Optional<NewtonStart> start) {
            return new NewtonDecisions(tuned, rule, limits, oneOwner, start, List.of("age"));
        }

        double weight() {
            return tuned.totals().weight();
        }

        double[] totals(double objective, double gradient) {
            double lambda = tuned.totals().sigma() / weight();
            HandMade hand = new HandMade(tuned.layout(), lambda, weight()).rounded(0, error, 0);
            double[] hessian = latest.passSums() == PassSums.HESSIAN ? curvature : new double[0];
            double[] gradients = new double[tuned.layout().parameters()];
            gradients[0] = gradient;
            double[] totals = hand.totals(
                    latest.passSums(), latest.point(), lambda, gradients.length, objective, gradients, hessian);
            totals[HiddenSum.STOPS] = stops;
            return totals;
        }

        Decision tell(double objective, double gradient) {
            latest = decisions.after(latest, totals(objective, gradient));
            return latest;
        }

        Decision tellTooLarge() {
            double[] totals = new double[tuned.layout().length(latest.passSums())];
            totals[OVERFLOWS] = 1;
            latest = decisions.after(latest, totals);
            return latest;
        }

        /** Forgets everything but what was saved. */
        void restore() {
            try {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                decisions.save(new DataOutputStream(bytes));
                decisions = decisions(Optional.empty());
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
                decisions.restore(in);
                assertThat(in.read()).isNegative();
                assertThat(decisions.latest().number()).isEqualTo(latest.number());
                latest = decisions.latest();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static TunedNewton tuned(String loss, double lambda, long rows, double valuesPerRow) {
        return tuned(loss, lambda, 1, rows, valuesPerRow);
    }

    private static TunedNewton tuned(String loss, double lambda, int features, long rows, double valuesPerRow) {
        Loss named = Losses.named(loss);
        long values = (long) (rows * valuesPerRow);
        List<Facts> facts = List.of(
                new Facts(rows / 2, rows, lambda * rows, new double[0]),
                new Facts(rows - rows / 2, rows, lambda * rows, new double[0]));
        Regulariser regulariser = Regulariser.elasticNet(lambda, 0);
        return (TunedNewton) new NewtonMethod()
                .tune(
                        Network.of(2, new int[][] {{0, 1}}),
                        new Objective(named, regulariser),
                        new Shape(features, rows, values, values, false),
                        facts,
                        1);
    }

    @Test
    void firstTotalsThatAreTooLargeAreRefusedAndLaterOnesAreNot() {
        assertThatThrownBy(new Run(HUBER, LAMBDA)::tellTooLarge)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("standardise");

        Run run = new Run(HUBER, LAMBDA);
        run.tell(1, -1);
        assertThat(run.tellTooLarge().ended()).isFalse();
        assertThat(run.latest.certificate().orElseThrow().relativeGap()).isInfinite();
        assertThat(run.decisions.result().certificate().objective()).isEqualTo(1);
    }

    /** g²/(2λ) is the gap. */
    @ParameterizedTest
    @CsvSource({"0.00141,true", "0.00142,false"})
    void aRunEndsOnceTheGapIsMet(double slope, boolean met) {
        Run run = new Run(HUBER, LAMBDA);

        Decision decision = run.tell(1, slope);

        assertThat(decision.ended()).isEqualTo(met);
        Certificate certificate = decision.certificate().orElseThrow();
        assertThat(certificate.objective()).isEqualTo(1);
        assertThat(certificate.dual()).isEqualTo(1 - slope * slope / 2);
        assertThat(certificate.error()).isPositive();
        assertThat(run.decisions.result().stalled()).isFalse();
    }

    /** Five samples a node. */
    @Test
    void certificatesCountPassesAndVisits() {
        Run run = new Run(HUBER, LAMBDA);
        run.tell(1, -1);
        run.tell(0.8, -1);

        Certificate third = run.tell(0.6, -1).certificate().orElseThrow();

        assertThat(third.epochs()).isEqualTo(3);
        assertThat(third.steps()).isEqualTo(15);
        assertThat(run.latest.number()).isEqualTo(3);
        assertThat(run.latest.epochs()).isEqualTo(3);
    }

    @Test
    void theLimitOfPassesEndsARun() {
        Run run = new Run(tuned(HUBER, LAMBDA, 10, 1), new StoppingRule(1e-6, 3), ReleaseLimits.NONE, true);

        assertThat(run.tell(1, -1).ended()).isFalse();
        assertThat(run.tell(0.8, -1).ended()).isFalse();
        assertThat(run.tell(0.6, -1).ended()).isTrue();
        assertThat(run.decisions.result().stalled()).isFalse();
    }

    /** Of 2²⁰ rows the first sample is every 64th or so; a limit of half a pass leaves no room for another. */
    @Test
    void aRunThatIsShortOfPassesTakesAllRowsInTheLast() {
        Run run = new Run(tuned(HUBER, 1e-9, 1 << 20, 1), new StoppingRule(1e-6, 1.001), ReleaseLimits.NONE, true);
        int every = run.latest.stride();
        assertThat(every).isGreaterThan(1);

        Decision second = run.tell(1, -1);

        assertThat(second.certificate()).isEmpty();
        assertThat(second.ended()).isFalse();
        assertThat(second.stride()).isEqualTo(1);
        assertThat(second.epochs()).isCloseTo(1.0 / every, within(1e-15));
        assertThat(run.tell(1, -1).ended()).isTrue();

        Run longer = new Run(tuned(HUBER, 1e-9, 1 << 20, 1), new StoppingRule(1e-6, 1.5), ReleaseLimits.NONE, true);
        assertThat(longer.tell(1, -1).stride()).isEqualTo(every);
    }

    @Test
    void aNodeThatWishesToStopIsGivenTheCertificateAtHand() {
        Run run = new Run(HUBER, LAMBDA);
        run.tell(1, -1);
        run.stops = 1;

        assertThat(run.tell(0.8, -1).ended()).isTrue();
    }

    @Test
    void aNodeThatWishesToStopOnASampleIsGivenOneMorePass() {
        Run run = new Run(tuned(HUBER, 1e-9, 1 << 20, 1), RULE, ReleaseLimits.NONE, true);
        run.stops = 1;

        assertThat(run.tell(1, -1).ended()).isFalse();
        run.stops = 0;
        assertThat(run.latest.stride()).isEqualTo(1);
        assertThat(run.latest.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(run.tell(1, -1).ended()).isTrue();
    }

    @Test
    void aRunThatIsHastenedEndsWithTheNextPass() {
        Run run = new Run(tuned(HUBER, 1e-9, 1 << 20, 1), RULE, ReleaseLimits.NONE, true);

        run.latest = run.decisions.finish();

        assertThat(run.latest.number()).isEqualTo(1);
        assertThat(run.latest.stride()).isEqualTo(1);
        // Whoever else wishes so finds it done.
        assertThat(run.decisions.finish()).isSameAs(run.latest);
        assertThat(run.tell(1, -1).ended()).isTrue();
    }

    @Test
    void theBestPointIsKeptAndNotTheLast() {
        Run run = new Run(tuned(HUBER, LAMBDA, 10, 1), new StoppingRule(1e-6, 3), ReleaseLimits.NONE, true);
        run.tell(1, -1);
        double best = run.latest.point()[0];
        Certificate proof = run.tell(0.8, -0.1).certificate().orElseThrow();
        run.tell(0.81, -0.5);

        Solution result = run.decisions.result();

        assertThat(result.certificate()).isEqualTo(proof);
        assertThat(result.parameter()).containsExactly(best);
        assertThat(best).isEqualTo(1);
        // Lessons are about another point, so that there are none.
        assertThat(result.lessons()).isEmpty();
    }

    @Test
    void lessonsAreThoseOfTheBestPointIfItIsTheLast() {
        Run run = new Run(HUBER, LAMBDA);
        run.tell(1, -1);
        run.tell(0.8, 1e-4);

        assertThat(run.latest.ended()).isTrue();
        assertThat(run.decisions.result().lessons()).hasSize(run.tuned.layout().length(PassSums.HESSIAN) + 1);
    }

    /** A point of which nothing is proven is better than none, and any of which something is is better than that. */
    @Test
    void aFirstPointIsTakenThatProvesNothing() {
        Run run = new Run(HUBER, LAMBDA);
        run.error = Double.MAX_VALUE;
        run.tell(1, -1);
        assertThat(run.decisions.result().certificate().objective()).isEqualTo(1);
        assertThat(run.decisions.result().certificate().relativeGap()).isInfinite();

        run.tell(0.9, -1);
        assertThat(run.decisions.result().certificate().objective()).isEqualTo(1);

        run.error = 0;
        run.tell(0.95, -1);
        assertThat(run.decisions.result().certificate().objective()).isEqualTo(0.95);
    }

    /** Neither proves more nor brings the objective down. */
    private static int passesUntilTheEnd(Run run, double objective, double slope) {
        int passes = 0;
        while (!run.latest.ended() && passes < 1000) {
            if (run.latest.passSums() == PassSums.PROOF || run.tuned.isExact()) {
                break;
            }
            // Wherever a step leads from 0 it is higher and steeper.
            boolean origin = run.latest.point()[0] == 0;
            run.tell(origin ? objective : 2 * objective, origin ? slope : -3 * slope);
            passes++;
        }
        return passes;
    }

    /** The first is the best there is, and two hundred more are no better. */
    @Test
    void aRunGivesUpAfterTwoHundredFutilePasses() {
        Run run = new Run(HUBER, LAMBDA);

        assertThat(passesUntilTheEnd(run, 1, -1)).isEqualTo(201);
        assertThat(run.decisions.result().stalled()).isTrue();
    }

    /** Where the error is half of gap and error together. */
    @ParameterizedTest
    @CsvSource({"0.51,21", "0.49,201"})
    void aRunGivesUpSoonerWhereRoundingIsTheGreaterPart(double error, int passes) {
        Run run = new Run(HUBER, LAMBDA);
        run.error = error;

        assertThat(passesUntilTheEnd(run, 1, -1)).isEqualTo(passes);
    }

    @Test
    void aPassThatProvesMoreOrIsLowerIsNotFutile() {
        for (boolean lower : new boolean[] {true, false}) {
            Run run = new Run(HUBER, LAMBDA);
            run.error = 0.6;
            for (int pass = 0; pass < 21; pass++) {
                // The twentieth is a little lower, by more than rounding, or proves a little more.
                boolean last = pass == 20;
                double objective = last && lower ? 1 - 0x1p-43 : 1;
                assertThat(run.tell(objective, last && !lower ? -1 + 1e-9 : lower && last ? -1.01 : -1)
                                .ended())
                        .isFalse();
            }
            run.error = 0.6;
            for (int pass = 0; pass < 19; pass++) {
                assertThat(run.tell(1, -1.01).ended()).isFalse();
            }
            assertThat(run.tell(1, -1.01).ended()).isTrue();
        }
    }

    @Test
    void whatRoundingMayTakeFromAnObjectiveDoesNotMakeItLower() {
        Run run = new Run(HUBER, LAMBDA);
        run.error = 0.6;
        run.tell(1, -1);
        for (int pass = 1; pass < 20; pass++) {
            assertThat(run.tell(1 - 0x1p-46, -1.01).ended()).isFalse();
        }

        assertThat(run.tell(1 - 0x1p-46, -1.01).ended()).isTrue();
    }

    /** A tenth of the gap. */
    @ParameterizedTest
    @CsvSource({"0.049,false", "0.051,true"})
    void roundingIsBoundedTightlyOnceItMatters(double error, boolean tight) {
        Run run = new Run(HUBER, LAMBDA);
        assertThat(run.latest.tight()).isFalse();
        run.error = error;

        assertThat(run.tell(1, -1).tight()).isEqualTo(tight);

        run.error = 0;
        assertThat(run.tell(0.9, -0.9).tight()).isEqualTo(tight);
    }

    /** After five futile passes what the regulariser is too small to prove is left to curvature, at the best point. */
    @Test
    void whereRoundingIsTheGreaterPartCurvatureProves() {
        Run run = new Run("squared", LAMBDA);
        run.error = 0.6;
        run.tell(1, -1);
        for (int pass = 0; pass < 4; pass++) {
            run.tell(1, -1);
        }
        assertThat(run.latest.point()).doesNotContain(0);

        run.tell(1, -1);

        assertThat(run.latest.ended()).isFalse();
        assertThat(run.latest.passSums()).isEqualTo(PassSums.HESSIAN);
        assertThat(run.latest.point()).containsExactly(0);
        run.restore();
        run.tell(1, 1e-11);
        assertThat(run.latest.passSums()).isEqualTo(PassSums.PROOF);
        assertThat(run.latest.basis()).isPresent();
        run.error = 0;
        assertThat(run.tell(1, 1e-11).ended()).isTrue();
        assertThat(run.decisions.result().exactness().standardErrors()).isFinite();
        assertThat(run.decisions.result().stalled()).isFalse();
    }

    @Test
    void whereNoMoreHessiansMayBeToldItGivesUpInstead() {
        Run run = new Run("squared", LAMBDA, new ReleaseLimits(100_000, 1, 1000, 1000, 0));
        run.error = 0.6;

        assertThat(passesUntilTheEnd(run, 1, -1)).isEqualTo(21);
        assertThat(run.decisions.result().stalled()).isTrue();
    }

    /** Without a regulariser there is a certificate only after a Hessian and a proof. */
    @Test
    void withoutARegulariserCurvatureProvesFromTheStart() {
        Run run = new Run("squared", 0);
        assertThat(run.latest.passSums()).isEqualTo(PassSums.HESSIAN);

        run.tell(1, 1e-11);
        assertThat(run.latest.certificate()).isEmpty();
        assertThat(run.latest.passSums()).isEqualTo(PassSums.PROOF);

        assertThat(run.tell(1, 1e-11).ended()).isTrue();
    }

    @Test
    void separationIsToldByNames() {
        Run run = new Run("logistic", 0);

        assertThatThrownBy(() -> {
                    for (int pass = 0; pass < 50; pass++) {
                        double slope = Math.pow(0.8, pass);
                        run.curvature = new double[] {slope};
                        run.tell(slope, -slope);
                    }
                })
                .isInstanceOf(SeparationException.class)
                .hasMessageContaining("age");
    }

    /** A gradient of one feature is 6 numbers and a Hessian 7; a proof is 9. */
    @Test
    void theNumbersOfAPassAreWhatTheyAre() {
        PassLayout layout = tuned(HUBER, LAMBDA, 10, 1).layout();

        assertThat(layout.numbers(PassSums.GRADIENT)).isEqualTo(6);
        assertThat(layout.numbers(PassSums.HESSIAN)).isEqualTo(7);
        assertThat(layout.numbers(PassSums.PROOF)).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource({"3,3,3,false", "2,3,3,true", "3,1,3,true", "3,3,2,true"})
    void withoutARegulariserTooFewSecondDerivativesAreRefused(int passes, int curvatures, int enough, boolean refused) {
        // A Hessian, and after it another one and a proof.
        long numbers = enough == 3 ? 7 + 7 + 9 : 7 + 7 + 8;
        ReleaseLimits limits = new ReleaseLimits(numbers, curvatures, passes, 100, 0);

        if (refused) {
            assertThatThrownBy(() -> new Run("squared", 0, limits))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("second derivatives");
        } else {
            assertThat(new Run("squared", 0, limits).latest.passSums()).isEqualTo(PassSums.HESSIAN);
        }
    }

    /** Tells what falls slowly until it ends; returns Hessians, passes and numbers told. */
    private static long[] told(Run run) {
        long hessians = 0;
        long passes = 0;
        long numbers = 0;
        while (!run.latest.ended() && passes < 500) {
            hessians += run.latest.passSums() == PassSums.HESSIAN ? 1 : 0;
            numbers += run.tuned.layout().numbers(run.latest.passSums());
            run.tell(Math.pow(0.999, passes), -1);
            passes++;
        }
        return new long[] {hessians, passes, numbers};
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "5"})
    void noMoreHessiansAreSummedUpThanMayBe(int curvatures) {
        Run run = new Run(HUBER, LAMBDA, new ReleaseLimits(100_000, curvatures, 40, 60, 0));

        long[] told = told(run);

        assertThat(told[0]).isEqualTo(curvatures);
        assertThat(told[1]).isEqualTo(40);
        assertThat(run.latest.certificate()).isPresent();
    }

    @Test
    void withoutHessiansThereMayBeAsManyPassesAsGradients() {
        Run run = new Run(HUBER, LAMBDA, new ReleaseLimits(100_000, 0, 40, 60, 0));
        run.tell(1, -1);
        for (int pass = 1; pass < 60; pass++) {
            assertThat(run.latest.ended()).isFalse();
            assertThat(run.latest.passSums()).isEqualTo(PassSums.GRADIENT);
            boolean origin = run.latest.point()[0] == 0;
            run.tell(origin ? 1 : 2, origin ? -1 : 3);
        }

        assertThat(run.latest.ended()).isTrue();
    }

    /** Half of the numbers are kept for gradients: of 400 that leaves 200 for Hessians and what comes before them. */
    @Test
    void noMoreNumbersAreToldThanMayBeAndHalfOfThemAreForGradients() {
        Run run = new Run(HUBER, LAMBDA, new ReleaseLimits(400, 100, 1000, 1000, 0));

        long[] told = told(run);

        assertThat(told[0]).isEqualTo(200 / 7);
        assertThat(told[2]).isBetween(400L - 6, 400L);
    }

    /**
     * With less than 30 gradients the first Hessian leaves room for four of them, more of them for half the numbers.
     */
    @ParameterizedTest
    @CsvSource({"31,2", "30,0", "179,12"})
    void whereNumbersAreScarceAFirstHessianLeavesRoomForItsSteps(long numbers, int hessians) {
        Run run = new Run(HUBER, LAMBDA, new ReleaseLimits(numbers, 100, 1000, 1000, 0));

        long[] told = told(run);

        assertThat(told[0]).isEqualTo(hessians);
        assertThat(told[2]).isBetween(numbers - 6, numbers);
    }

    /** Four Hessians of ten features are 280 numbers. */
    @ParameterizedTest
    @CsvSource({"280,8", "279,1"})
    void nothingIsToldOfASampleWhereNumbersAreScarce(long numbers, int every) {
        Run run =
                new Run(tuned(HUBER, 1e-9, 10, 20_000, 1), RULE, new ReleaseLimits(numbers, 100, 1000, 1000, 0), true);

        assertThat(run.latest.passSums()).isEqualTo(PassSums.HESSIAN);
        assertThat(run.latest.stride()).isEqualTo(every);
    }

    /** With 200 values a row a Hessian is work, and gradients are tried first. */
    private static TunedNewton gradientsFirst(String loss) {
        return tuned(loss, LAMBDA, 10, 200);
    }

    /** Hessians are as much work as 306 gradients; a gap of 1/2 at pass 50 and another at pass 100. */
    private static Run after100(Run run, double gap) {
        for (int pass = 1; pass <= 100; pass++) {
            double slope = -Math.sqrt(2 * (pass < 100 ? 0.5 : gap));
            run.tell(1 - 1e-6 * pass, slope);
            assertThat(run.latest.ended()).isFalse();
            if (pass < 100) {
                assertThat(run.latest.passSums()).isEqualTo(PassSums.GRADIENT);
            }
        }
        return run;
    }

    /** ln(1/2e-6 …): a gap of g is left where 50 ln(g/1e-6) > 306 ln(0.5/g): for g more than 0.0789. */
    @ParameterizedTest
    @CsvSource({"0.4,true", "0.082,true", "0.076,false", "0.001,false"})
    void gradientsGiveWayWhereTheyWouldTakeLonger(double gap, boolean slow) {
        Run run = after100(new Run(gradientsFirst(HUBER), RULE, ReleaseLimits.NONE, true), gap);

        assertThat(run.latest.passSums()).isEqualTo(slow ? PassSums.HESSIAN : PassSums.GRADIENT);
        if (slow) {
            assertThat(run.latest.point()).isEqualTo(run.decisions.result().parameter());
            run.restore();
            assertThat(run.tell(0.9, -0.1).passSums()).isNotNull();
        }
    }

    @Test
    void gradientsDoNotGiveWayWhereNoHessianMayBeTold() {
        Run run =
                after100(new Run(gradientsFirst(HUBER), RULE, new ReleaseLimits(100_000, 0, 1000, 1000, 0), true), 0.4);

        assertThat(run.latest.passSums()).isEqualTo(PassSums.GRADIENT);
        // It goes on from the best point as before.
        assertThat(run.latest.point()).isNotEqualTo(run.decisions.result().parameter());
    }

    /** The span of so few rows tells nearly all about them. */
    @ParameterizedTest
    @CsvSource({"true,SPAN", "false,GRADIENT"})
    void theSpanOfFewRowsIsFoundWhereTheyHaveOneOwner(boolean oneOwner, PassSums next) {
        TunedNewton wide = tuned("logistic", LAMBDA, 600, 10, 600);
        assertThat(wide.layout().inSpan()).isTrue();

        Run run = after100(new Run(wide, RULE, ReleaseLimits.NONE, oneOwner), 0.4);

        assertThat(run.latest.passSums()).isEqualTo(next);
    }

    /** Where rows are as many as features the first pass has the diagonal, if it may be told. */
    @ParameterizedTest
    @CsvSource({"1000,1,DIAGONAL", "1000,0,GRADIENT", "179,1,GRADIENT", "180,1,DIAGONAL"})
    void theFirstPassHasTheDiagonalWhereItMayBeTold(long numbers, int curvatures, PassSums first) {
        Run run = new Run(gradientsFirst(HUBER), RULE, new ReleaseLimits(numbers, curvatures, 1000, 1000, 0), true);

        assertThat(run.latest.passSums()).isEqualTo(first);
    }

    @Test
    void aDiagonalCountsAmongSecondDerivatives() {
        Run run = new Run(gradientsFirst(HUBER), RULE, new ReleaseLimits(100_000, 1, 1000, 1000, 0), true);
        assertThat(run.latest.passSums()).isEqualTo(PassSums.DIAGONAL);

        after100(run, 0.4);

        assertThat(run.latest.passSums()).isEqualTo(PassSums.GRADIENT);
    }

    /** A Hessian that all rows have lent is used from the start and not passed on. */
    @Test
    void aHessianThatIsLentIsNotPassedOn() {
        Run run = new Run(HUBER, LAMBDA);
        double[] hessian = run.totals(1, -1);
        run.decisions =
                run.decisions(Optional.of(new NewtonStart(new double[] {0.5}, new double[0], hessian, false, true)));
        run.latest = run.decisions.latest();
        assertThat(run.latest.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(run.latest.point()).containsExactly(0.5);

        run.tell(1, 1e-4);

        assertThat(run.latest.ended()).isTrue();
        assertThat(run.decisions.result().lessons()).hasSize(run.tuned.layout().length(PassSums.GRADIENT));
    }

    /** What was saved goes on as what was not, whatever comes. */
    @ParameterizedTest
    @ValueSource(strings = {"direct", "quasi", "exact"})
    void whatIsSavedIsTakenUp(String way) {
        for (int cut = 0; cut < 30; cut += 3) {
            TunedNewton tuned = way.equals("quasi")
                    ? gradientsFirst(HUBER)
                    : tuned(way.equals("exact") ? "squared" : HUBER, LAMBDA, 10, 1);
            ReleaseLimits limits = new ReleaseLimits(100_000, 6, 28, 28, 0);
            Run whole = new Run(tuned, RULE, limits, true);
            Run cutUp = new Run(tuned, RULE, limits, true);
            for (Run run : List.of(whole, cutUp)) {
                run.error = 0.6;
            }
            for (int pass = 0; pass < 30 && !whole.latest.ended(); pass++) {
                if (pass == cut) {
                    cutUp.restore();
                }
                assertThat(cutUp.latest.point()).isEqualTo(whole.latest.point());
                assertThat(cutUp.latest.passSums()).isEqualTo(whole.latest.passSums());
                assertThat(cutUp.latest.tight()).isEqualTo(whole.latest.tight());
                for (Run run : List.of(whole, cutUp)) {
                    run.tell(pass < 10 ? 1 - 0.01 * pass : 0.9, -1);
                }
            }
            assertThat(cutUp.latest.ended()).isEqualTo(whole.latest.ended());
            assertThat(cutUp.latest.epochs()).isEqualTo(whole.latest.epochs());
            assertThat(cutUp.decisions.result().certificate())
                    .isEqualTo(whole.decisions.result().certificate());
            assertThat(cutUp.decisions.result().parameter())
                    .isEqualTo(whole.decisions.result().parameter());
            assertThat(cutUp.decisions.result().stalled())
                    .isEqualTo(whole.decisions.result().stalled());
        }
    }

    @Test
    void curvatureProvesFromTheBestPoint() {
        Run run = new Run("squared", LAMBDA);
        run.error = 0.6;
        run.tell(1, -1);
        run.tell(0.95, -0.1);
        for (int pass = 0; pass < 5; pass++) {
            run.tell(2, 3);
        }

        assertThat(run.latest.passSums()).isEqualTo(PassSums.HESSIAN);
        assertThat(run.latest.point()).containsExactly(1);
    }

    /** Of three Hessians the last is for the proof of the point that it was summed up at. */
    @Test
    void withoutARegulariserNoMoreHessiansAreSummedUpThanMayBe() {
        Run run = new Run("squared", 0, new ReleaseLimits(100_000, 3, 1000, 1000, 0));

        long[] told = told(run);

        assertThat(told[0]).isLessThanOrEqualTo(3);
        assertThat(told[1]).isLessThanOrEqualTo(5);
        assertThat(run.latest.ended()).isTrue();
        assertThat(run.latest.certificate()).isPresent();
    }

    /** Rows with many values of which a Hessian is lent have no use for gradients alone, now or when restored. */
    @Test
    void aHessianThatIsLentIsUsedWhereGradientsWouldComeFirst() {
        Run direct = new Run(HUBER, LAMBDA);
        double[] hessian = direct.totals(1, -1);
        Run run = new Run(gradientsFirst(HUBER), RULE, ReleaseLimits.NONE, true);
        run.decisions =
                run.decisions(Optional.of(new NewtonStart(new double[] {0.5}, new double[0], hessian, false, true)));
        run.latest = run.decisions.latest();
        run.tell(1, -0.5);
        // The curvature that is lent is 1, of rows that weigh as much.
        assertThat(run.latest.point()).containsExactly(1);

        run.restore();

        assertThat(run.latest.point()).containsExactly(1);
        run.tell(0.9, -0.25);
        assertThat(run.latest.point()).containsExactly(new double[] {1.5}, within(1e-12));
    }
}
