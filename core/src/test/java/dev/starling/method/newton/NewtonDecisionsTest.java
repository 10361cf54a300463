package dev.starling.method.newton;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.network.Network;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.objective.PassSums;
import dev.starling.problem.Regulariser;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a run of Newton's method ends, what it keeps and what it may disclose, given hand-made totals. */
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
            return new NewtonDecisions(tuned, rule, limits, oneOwner, start, List.of("age"), Optional.empty());
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
    void refusesOverflowingTotalsAtTheStartOnly() {
        assertThatRefused(new Run(HUBER, LAMBDA)::tellTooLarge).hasMessageContaining("standardise");

        Run run = new Run(HUBER, LAMBDA);
        run.tell(1, -1);
        assertThat(run.tellTooLarge().ended()).isFalse();
        assertThat(run.latest.certificate().orElseThrow().relativeGap()).isInfinite();
        assertThat(run.decisions.result().certificate().objective()).isEqualTo(1);
    }

    @Test
    void endsWithTheCertificateAtHandWhereANodeAsksToStop() {
        Run run = new Run(HUBER, LAMBDA);
        run.tell(1, -1);
        run.stops = 1;

        assertThat(run.tell(0.8, -1).ended()).isTrue();
    }

    @Test
    void certifiesWithOneMorePassWhereANodeAsksToStopDuringASample() {
        Run run = new Run(tuned(HUBER, 1e-9, 1 << 20, 1), RULE, ReleaseLimits.NONE, true);
        run.stops = 1;

        assertThat(run.tell(1, -1).ended()).isFalse();
        run.stops = 0;
        assertThat(run.latest.stride()).isEqualTo(1);
        assertThat(run.latest.passSums()).isEqualTo(PassSums.GRADIENT);
        assertThat(run.tell(1, -1).ended()).isTrue();
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

    /** The first pass is the best there is, and no other is any better. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.6})
    void aStalledRunEndsWithItsBestProof(double error) {
        Run run = new Run(HUBER, LAMBDA);
        run.error = error;

        assertThat(passesUntilTheEnd(run, 1, -1)).isBetween(2, 999);
        assertThat(run.decisions.result().stalled()).isTrue();
        assertThat(run.decisions.result().parameter()).containsExactly(0);
        assertThat(run.decisions.result().certificate().objective()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"3,3,3,false", "2,3,3,true", "3,1,3,true", "3,3,2,true"})
    void refusesLimitsThatLeaveNoRoomForAProofByCurvature(int passes, int curvatures, int enough, boolean refused) {
        // A Hessian, and after it another one and a proof.
        long numbers = enough == 3 ? 7 + 7 + 10 : 7 + 7 + 9;
        ReleaseLimits limits = new ReleaseLimits(numbers, curvatures, passes, 100, 0);

        if (refused) {
            assertThatRefused(() -> new Run("squared", 0, limits)).hasMessageContaining("second derivatives");
        } else {
            assertThat(new Run("squared", 0, limits).latest.passSums()).isEqualTo(PassSums.HESSIAN);
        }
    }

    /** Lets the objective fall slowly until the run ends; returns second derivatives, passes and numbers disclosed. */
    private static long[] told(Run run) {
        long hessians = 0;
        long passes = 0;
        long numbers = 0;
        while (!run.latest.ended() && passes < 500) {
            hessians += run.latest.passSums() == PassSums.GRADIENT ? 0 : 1;
            numbers += run.tuned.layout().numbers(run.latest.passSums());
            run.tell(Math.pow(0.999, passes), -1);
            passes++;
        }
        return new long[] {hessians, passes, numbers};
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "5"})
    void disclosesNoMoreHessiansThanAllowed(int curvatures) {
        Run run = new Run(HUBER, LAMBDA, new ReleaseLimits(100_000, curvatures, 40, 60, 0));

        long[] told = told(run);

        assertThat(told[0]).isEqualTo(curvatures);
        assertThat(told[1]).isEqualTo(40);
        assertThat(run.latest.certificate()).isPresent();
    }

    @Test
    void disclosesAsManyGradientsAsAllowedWhereThereAreNoHessians() {
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

    @ParameterizedTest
    @ValueSource(longs = {30, 31, 179, 400})
    void disclosesNoMoreNumbersThanAllowed(long numbers) {
        Run run = new Run(HUBER, LAMBDA, new ReleaseLimits(numbers, 100, 1000, 1000, 0));

        long[] told = told(run);

        assertThat(told[2]).isBetween(numbers - 6, numbers);
    }

    /** With 200 values a row a Hessian is work, and gradients are tried first. */
    private static TunedNewton gradientsFirst(String loss) {
        return tuned(loss, LAMBDA, 10, 200);
    }

    @Test
    void countsADiagonalAmongSecondDerivatives() {
        Run run = new Run(gradientsFirst(HUBER), RULE, new ReleaseLimits(100_000, 1, 1000, 1000, 0), true);
        assertThat(run.latest.passSums()).isEqualTo(PassSums.DIAGONAL);

        assertThat(told(run)[0]).isEqualTo(1);
    }

    /** Of three Hessians the last is for the proof of the point that it was summed up at. */
    @Test
    void disclosesNoMoreHessiansThanAllowedWithoutARegulariser() {
        Run run = new Run("squared", 0, new ReleaseLimits(100_000, 3, 1000, 1000, 0));

        long[] told = told(run);

        assertThat(told[0]).isLessThanOrEqualTo(3);
        assertThat(told[1]).isLessThanOrEqualTo(5);
        assertThat(run.latest.ended()).isTrue();
        assertThat(run.latest.certificate()).isPresent();
    }
}
