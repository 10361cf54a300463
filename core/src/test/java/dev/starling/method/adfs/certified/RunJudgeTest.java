package dev.starling.method.adfs.certified;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What follows from certificates of a node that has 100 samples. Under theory's own constants it computes in every
 * fourth step, so that an epoch is 400 steps, and is promised a factor e in 64 epochs; with each relaxation it computes
 * half as often and is promised that in half as many steps.
 */
class RunJudgeTest {

    private static final double SAMPLES = 100;
    private static final long EPOCH = 400;
    private static final long TIME_CONSTANT = 64 * EPOCH;
    private static final StoppingRule RULE = new StoppingRule(1e-9, 1e6);

    /** Steady progress of so many steps per factor e, and a forecast of what is left that is always the same. */
    private record Pace(double stepsPerFactor, double computationProbability, double left) implements StepForecast {

        @Override
        public double delay() {
            return 1;
        }

        @Override
        public double communicationProbability() {
            return 1 - computationProbability;
        }

        @Override
        public double stepsFor(double factor) {
            return stepsPerFactor * Math.log(factor);
        }

        @Override
        public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
            return left;
        }

        @Override
        public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
            return Math.log(before / now) >= 0.5 * (stepsNow - stepsBefore) / stepsPerFactor;
        }
    }

    private record Assumed(Belief atFirst, boolean relaxes, int mostRaises, double left) implements Theory {

        @Override
        public StepForecast pace(Belief belief) {
            int faster = 1 << belief.relaxations();
            return new Pace((double) TIME_CONSTANT / faster, 0.25 / faster, left);
        }
    }

    /** The theory of a method that only raises, far from its end. */
    private static Theory raising(int mostRaises) {
        return new Assumed(Belief.THEORY, false, mostRaises, 1e9);
    }

    /** The theory of a method that only relaxes, far from its end. */
    private static Theory relaxing() {
        return new Assumed(Belief.THEORY, true, 0, 1e9);
    }

    private static RunJudge judge(Theory theory) {
        return new RunJudge(RULE, theory, SAMPLES);
    }

    private static Certificate exact(double gap, long steps) {
        return new Certificate(1, 1 - gap, steps, (double) steps / EPOCH);
    }

    /** A certificate whose gap is rounding for more than a half. */
    private static Certificate rounded(double gap, long steps) {
        return new Certificate(1, 1 - 0.4 * gap, 0.6 * gap, steps, (double) steps / EPOCH);
    }

    private static RunJudge.Outcome outcome(RunJudge judge, Certificate certificate) {
        RunJudge.Verdict verdict = judge.verdict(certificate, false);
        assertThat(verdict.nextCheck() == 0)
                .as("no check is due once the run has ended")
                .isEqualTo(verdict.outcome() != RunJudge.Outcome.GO_ON);
        return verdict.outcome();
    }

    @Test
    void stallsWhereCertificatesAreMostlyRoundingAndProveNoMore() {
        RunJudge judge = judge(raising(0));

        assertThat(outcome(judge, exact(1e-3, 1000))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, rounded(1e-3, 2000))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, rounded(1e-3, 3000))).isEqualTo(RunJudge.Outcome.STALLED);
    }

    @Test
    void doesNotStallWhereRoundingIsSmall() {
        RunJudge judge = judge(raising(0));

        for (int check = 1; check < 10; check++) {
            assertThat(outcome(judge, exact(1e-3, 1000L * check))).isEqualTo(RunJudge.Outcome.GO_ON);
        }
    }

    @Test
    void prefersEndingToStalling() {
        RunJudge told = judge(raising(0));
        outcome(told, exact(1e-3, 1000));
        outcome(told, rounded(1e-3, 2000));
        RunJudge met = judge(raising(0));
        outcome(met, exact(1e-3, 1000));

        RunJudge.Verdict end = new RunJudge.Verdict(RunJudge.Outcome.END, 0, false, Optional.empty());
        assertThat(told.verdict(rounded(1e-3, 3000), true)).isEqualTo(end);
        assertThat(met.verdict(exact(1e-9, 2000), false)).isEqualTo(end);
    }

    @Test
    void endsAtTheLimitOnEpochs() {
        RunJudge judge = new RunJudge(new StoppingRule(1e-9, 5), raising(0), SAMPLES);

        assertThat(outcome(judge, exact(0.1, 5 * EPOCH - 1))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, exact(0.1, 5 * EPOCH))).isEqualTo(RunJudge.Outcome.END);
    }

    @Test
    void keepsTheCertificateWithTheSmallestGap() {
        RunJudge judge = judge(raising(0));
        assertThat(judge.best()).isEqualTo(Certificate.NONE);

        for (Certificate certificate : List.of(exact(0.1, 1000), exact(0.01, 2000), exact(0.02, 3000))) {
            judge.verdict(certificate, false);
        }
        assertThat(judge.best()).isEqualTo(exact(0.01, 2000));
        judge.verdict(exact(0.005, 4000), true);
        assertThat(judge.best()).isEqualTo(exact(0.005, 4000));
    }

    @Test
    void changesNothingWhileARunKeepsUp() {
        RunJudge judge = judge(raising(2));
        double gap = 0.1;
        for (int check = 1; check <= 10; check++) {
            RunJudge.Verdict verdict = judge.verdict(exact(gap, check * TIME_CONSTANT), false);
            gap *= Math.exp(-0.6);

            assertThat(verdict.drawIndependently()).isFalse();
            assertThat(verdict.belief()).isEmpty();
        }
    }

    @Test
    void neverRelaxesAMethodWithoutRelaxations() {
        RunJudge never = judge(raising(0));
        RunJudge relaxing = judge(relaxing());
        Certificate early = exact(0.8, 10 * EPOCH);

        assertThat(never.verdict(early, false).belief()).isEmpty();
        // At four times the rate a factor e would have taken longer than these 10 of 64 epochs; at eight times, not.
        assertThat(relaxing.verdict(early, false).belief()).hasValue(new Belief(0, 2));
    }

    @Test
    void countsEpochsByTheShareOfStepsThatCompute() {
        RunJudge judge = judge(relaxing());
        assertThat(judge.epochsAt(20 * EPOCH)).isEqualTo(20);

        assertThat(judge.verdict(exact(0.8, 30 * EPOCH), false).belief()).hasValue(new Belief(0, 1));
        assertThat(judge.epochsAt(30 * EPOCH)).isEqualTo(30);
        assertThat(judge.epochsAt(30 * EPOCH + 10 * EPOCH))
                .as("10 epochs' steps, half of which compute no more")
                .isEqualTo(35);
    }
}
