package dev.starling.method.adfs.certified;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
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
    void aRunStallsAtTheSecondCertificateInARowThatIsMostlyRoundingAndProvesNoMore() {
        RunJudge judge = judge(raising(0));

        assertThat(outcome(judge, exact(1e-3, 1000))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, rounded(1e-3, 2000))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, rounded(1e-3, 3000))).isEqualTo(RunJudge.Outcome.STALLED);
    }

    @Test
    void certificatesThatProveNoMoreButAreNotRoundingAreNoStall() {
        RunJudge judge = judge(raising(0));

        for (int check = 1; check < 10; check++) {
            assertThat(outcome(judge, exact(1e-3, 1000L * check))).isEqualTo(RunJudge.Outcome.GO_ON);
        }
    }

    @Test
    void oneOfThemThatIsNotRoundingBeginsTheCountAnew() {
        RunJudge judge = judge(raising(0));
        outcome(judge, exact(1e-3, 1000));
        outcome(judge, rounded(1e-3, 2000));

        assertThat(outcome(judge, exact(1e-3, 3000))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, rounded(1e-3, 4000))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, rounded(1e-3, 5000))).isEqualTo(RunJudge.Outcome.STALLED);
    }

    @Test
    void aGapThatFallsByATenthEveryTimeIsNoStallHoweverMuchOfItIsRounding() {
        RunJudge judge = judge(raising(0));
        double gap = 1e-3;

        for (int check = 1; check < 10; check++) {
            assertThat(outcome(judge, rounded(gap, 1000L * check))).isEqualTo(RunJudge.Outcome.GO_ON);
            gap *= 0.89;
        }
    }

    @Test
    void aGapThatFallsByLessThanATenthIsAStall() {
        RunJudge judge = judge(raising(0));
        outcome(judge, exact(1e-3, 1000));

        assertThat(outcome(judge, rounded(0.92e-3, 2000))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, rounded(0.85e-3, 3000)))
                .as("a tenth less than at first, but not than the best since")
                .isEqualTo(RunJudge.Outcome.STALLED);
    }

    @Test
    void whatMeetsTheRuleOrIsToBeTheLastEndsTheRunEvenWhereItWouldStall() {
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
    void theRunEndsWithTheStepThatTheLimitOnEpochsComesTo() {
        RunJudge judge = new RunJudge(new StoppingRule(1e-9, 5), raising(0), SAMPLES);

        assertThat(outcome(judge, exact(0.1, 5 * EPOCH - 1))).isEqualTo(RunJudge.Outcome.GO_ON);
        assertThat(outcome(judge, exact(0.1, 5 * EPOCH))).isEqualTo(RunJudge.Outcome.END);
    }

    @Test
    void theBestCertificateIsTheOneWithTheSmallestGapWhereverItCame() {
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
    void aRunThatStaysBehindDrawsIndependentlyThenRaisesAsOftenAsThereIsSomethingToRaise() {
        RunJudge judge = judge(raising(2));
        List<Integer> drawing = new ArrayList<>();
        List<Belief> beliefs = new ArrayList<>();
        List<Integer> raised = new ArrayList<>();
        for (int check = 1; check <= 15; check++) {
            RunJudge.Verdict verdict = judge.verdict(exact(0.1, check * TIME_CONSTANT), false);
            if (verdict.drawIndependently()) {
                drawing.add(check);
            }
            if (verdict.belief().isPresent()) {
                beliefs.add(verdict.belief().get());
                raised.add(check);
            }
        }

        // A window is three certificates, and each change begins another.
        assertThat(drawing).containsExactly(3);
        assertThat(raised).containsExactly(6, 9);
        assertThat(beliefs).containsExactly(new Belief(1, 0), new Belief(2, 0));
    }

    @Test
    void aRunThatKeepsUpChangesNothing() {
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
    void methodsWithoutRelaxationsAreNeverRelaxed() {
        RunJudge never = judge(raising(0));
        RunJudge relaxing = judge(relaxing());
        Certificate early = exact(0.8, 10 * EPOCH);

        assertThat(never.verdict(early, false).belief()).isEmpty();
        // At four times the rate a factor e would have taken longer than these 10 of 64 epochs; at eight times, not.
        assertThat(relaxing.verdict(early, false).belief()).hasValue(new Belief(0, 2));
    }

    /** A run on trial with a relaxation at its second certificate that has it taken back at the third. */
    private static RunJudge afterATrialThatFailed() {
        RunJudge judge = judge(relaxing());
        assertThat(judge.verdict(exact(0.2, 70 * EPOCH), false).belief()).isEmpty();
        assertThat(judge.verdict(exact(0.06, 135 * EPOCH), false).belief()).hasValue(new Belief(0, 1));
        assertThat(judge.verdict(exact(0.06, 168 * EPOCH), false).belief()).hasValue(Belief.THEORY);
        return judge;
    }

    @Test
    void certificatesFromBeforeATrialAreNotHeldAgainstTheory() {
        RunJudge judge = afterATrialThatFailed();

        for (int check = 1; check <= 2; check++) {
            RunJudge.Verdict verdict = judge.verdict(exact(0.4, (168 + 70L * check) * EPOCH), false);
            assertThat(verdict.drawIndependently()).isFalse();
        }
        assertThat(judge.verdict(exact(0.4, 400 * EPOCH), false).drawIndependently())
                .isTrue();
    }

    @Test
    void aRunThatWasRelaxedBeginsAnewWhenItFallsBackAndIsRelaxedNoMore() {
        RunJudge judge = afterATrialThatFailed();
        judge.verdict(exact(0.4, 240 * EPOCH), false);
        judge.verdict(exact(0.4, 310 * EPOCH), false);

        RunJudge.Verdict behind = judge.verdict(exact(0.4, 380 * EPOCH), false);
        assertThat(behind.drawIndependently()).isTrue();
        assertThat(behind.belief()).hasValue(Belief.THEORY);
        // Ten times the rate, which would be followed.
        RunJudge.Verdict fast = judge.verdict(exact(0.4e-4, 444 * EPOCH), false);
        assertThat(fast.drawIndependently()).isFalse();
        assertThat(fast.belief()).isEmpty();
    }

    @Test
    void restartsAreGivenUpForTheoryOnceTheyAreNoFaster() {
        RunJudge judge = judge(new Assumed(Belief.NONE, true, 0, 1e9));

        assertThat(judge.verdict(exact(0.5, 20 * EPOCH), false).belief()).isEmpty();
        assertThat(judge.verdict(exact(0.5, 40 * EPOCH), false).belief()).hasValue(Belief.THEORY);
    }

    @Test
    void checksAreAsFarApartAsTheRunIsTrusted() {
        long steps = 40 * EPOCH;
        RunJudge trusted = judge(raising(1));
        assertThat(trusted.verdict(exact(0.1, steps), false).nextCheck())
                .as("half the run on, by theory")
                .isEqualTo(steps + 20 * EPOCH);
        RunJudge restarted = judge(new Assumed(Belief.NONE, true, 0, 1e9));
        assertThat(restarted.verdict(exact(0.1, steps), false).nextCheck())
                .as("ten epochs on, with restarts")
                .isEqualTo(steps + 10 * EPOCH);
        RunJudge relaxed = judge(relaxing());
        RunJudge.Verdict one = relaxed.verdict(exact(0.8, 30 * EPOCH), false);
        assertThat(one.belief()).hasValue(new Belief(0, 1));
        assertThat(one.nextCheck())
                .as("on trial, when a relaxation promises a factor e")
                .isEqualTo(30 * EPOCH + TIME_CONSTANT / 2);
    }

    @Test
    void aPlainRunIsWatchedCloselyWhileThereIsSomethingLeftToRaise() {
        RunJudge judge = judge(raising(1));
        List<Long> intervals = new ArrayList<>();
        for (int check = 1; check <= 6; check++) {
            long steps = 4L * check * TIME_CONSTANT;
            intervals.add(judge.verdict(exact(0.1, steps), false).nextCheck() - steps);
        }

        long loose = 2 * TIME_CONSTANT;
        assertThat(intervals).containsExactly(loose, 2 * loose, TIME_CONSTANT, TIME_CONSTANT, TIME_CONSTANT, 6 * loose);
    }

    @Test
    void theFirstCheckOfALongRunIsAfterTenEpochs() {
        assertThat(judge(raising(0)).firstCheck()).isEqualTo(10 * EPOCH);
    }

    @Test
    void fromTheThirdCheckOnAllOfThemTogetherCostATenthOfTheRun() {
        RunJudge judge = judge(new Assumed(Belief.THEORY, false, 0, 0));

        assertThat(judge.verdict(exact(0.1, 800), false).nextCheck()).isEqualTo(800 + EPOCH);
        assertThat(judge.verdict(exact(0.1, 1200), false).nextCheck()).isEqualTo(1200 + EPOCH);
        // Four checks at 0.4 epochs each are a tenth of 16 epochs.
        assertThat(judge.verdict(exact(0.1, 1600), false).nextCheck()).isEqualTo(16 * EPOCH);
        assertThat(judge.verdict(exact(0.1, 2000), false).nextCheck()).isEqualTo(20 * EPOCH);
    }

    @Test
    void epochsAreCountedByTheShareOfStepsThatCompute() {
        RunJudge judge = judge(relaxing());
        assertThat(judge.epochsAt(20 * EPOCH)).isEqualTo(20);

        assertThat(judge.verdict(exact(0.8, 30 * EPOCH), false).belief()).hasValue(new Belief(0, 1));
        assertThat(judge.epochsAt(30 * EPOCH)).isEqualTo(30);
        assertThat(judge.epochsAt(30 * EPOCH + 10 * EPOCH))
                .as("10 epochs' steps, half of which compute no more")
                .isEqualTo(35);
    }

    private static RunJudge copy(RunJudge judge, Theory theory) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        judge.save(new DataOutputStream(bytes));
        RunJudge restored = judge(theory);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        restored.restore(in);
        assertThat(in.available()).as("bytes left over").isZero();
        return restored;
    }

    /** Saves and restores the judge before every certificate and compares with one that is left alone. */
    private static List<RunJudge.Verdict> assertSameThoughRestored(Theory theory, Certificate... certificates)
            throws IOException {
        RunJudge kept = judge(theory);
        RunJudge restored = judge(theory);
        List<RunJudge.Verdict> verdicts = new ArrayList<>();
        for (Certificate certificate : certificates) {
            restored = copy(restored, theory);
            verdicts.add(kept.verdict(certificate, false));

            assertThat(restored.verdict(certificate, false)).isEqualTo(verdicts.get(verdicts.size() - 1));
            assertThat(restored.best()).isEqualTo(kept.best());
            assertThat(restored.epochsAt(certificate.steps() + 1000))
                    .isEqualTo(kept.epochsAt(certificate.steps() + 1000));
        }
        return verdicts;
    }

    @Test
    void aRestoredJudgeStallsWhenTheOneThatWasSavedDoes() throws IOException {
        List<RunJudge.Verdict> verdicts =
                assertSameThoughRestored(raising(0), exact(1e-3, 1000), rounded(2e-3, 2000), rounded(1e-3, 3000));

        assertThat(verdicts.get(2).outcome()).isEqualTo(RunJudge.Outcome.STALLED);
    }

    @Test
    void aRestoredJudgeFallsBackWhenTheOneThatWasSavedDoes() throws IOException {
        Certificate[] flat = new Certificate[8];
        for (int check = 1; check <= flat.length; check++) {
            flat[check - 1] = exact(0.1, check * TIME_CONSTANT);
        }
        List<RunJudge.Verdict> verdicts = assertSameThoughRestored(raising(2), flat);

        assertThat(verdicts.get(2).drawIndependently()).isTrue();
        assertThat(verdicts.get(5).belief()).hasValue(new Belief(1, 0));
    }

    @Test
    void aRestoredJudgeAdaptsAsTheOneThatWasSavedDoes() throws IOException {
        List<RunJudge.Verdict> verdicts = assertSameThoughRestored(
                relaxing(),
                exact(0.2, 70 * EPOCH),
                exact(0.06, 135 * EPOCH),
                exact(0.06, 168 * EPOCH),
                exact(0.4, 240 * EPOCH),
                exact(0.4, 310 * EPOCH),
                exact(0.4, 380 * EPOCH));

        assertThat(verdicts.get(1).belief()).hasValue(new Belief(0, 1));
        assertThat(verdicts.get(5).belief()).as("begun anew, as it had adapted").hasValue(Belief.THEORY);
    }
}
