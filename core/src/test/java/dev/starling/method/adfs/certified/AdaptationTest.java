package dev.starling.method.adfs.certified;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Tuning;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates of a single node whose theory, without relaxations, promises a factor e in 64 epochs. */
class AdaptationTest {

    private static final double STEPS_PER_EPOCH = 1000;
    private static final double TIME_CONSTANT = 64;
    private static final double TARGET = 1e-12;

    private Adaptation adaptation = new Adaptation(TARGET);
    private double gap = 1;
    private double epochs;
    private int relaxations;

    private static StepForecast pace(int relaxations) {
        double constant = TIME_CONSTANT * STEPS_PER_EPOCH / (1 << relaxations);
        return new Tuning(5, 1, 1, constant, 0, 0, 1 / constant, 1 / constant);
    }

    /** The next certificate, after so many epochs in which the gap fell at so many times the present rate. */
    private int after(double moreEpochs, double progress) {
        return after(moreEpochs, progress, 1);
    }

    private int after(double moreEpochs, double progress, double objective) {
        epochs += moreEpochs;
        gap *= Math.exp(-progress * moreEpochs / TIME_CONSTANT * (1 << relaxations));
        Certificate certificate =
                new Certificate(objective, objective - gap, (long) (epochs * STEPS_PER_EPOCH), epochs);
        relaxations = adaptation.judge(certificate, pace(relaxations), STEPS_PER_EPOCH);
        return relaxations;
    }

    /** After a window, the time in which the present rate promises a factor e. */
    private int afterWindow(double progress) {
        return afterWindow(progress, 1);
    }

    private int afterWindow(double progress, double objective) {
        return after(1.01 * TIME_CONSTANT / (1 << relaxations), progress, objective);
    }

    @Test
    void theFirstCertificateComesTooEarlyForASlowRate() {
        // In 10 epochs a rate of 1/64 has not mattered yet; one of 4/64 has not either, one of 8/64 just so.
        assertThat(after(10, 1)).isEqualTo(2);
    }

    @Test
    void aRateThatHasHadTimeIsKeptAtFirst() {
        assertThat(after(70, 1.5)).isZero();
    }

    @Test
    void progressFarAboveTheRateIsFollowed() {
        assertThat(after(70, 1.5)).isZero();
        // 8 times the rate: half of that is the rate of two relaxations.
        assertThat(after(10, 8)).isEqualTo(2);
    }

    @Test
    void slowProgressTakesRelaxationsBack() {
        assertThat(after(10, 1)).isEqualTo(2);
        assertThat(afterWindow(0.5)).isEqualTo(1);
        assertThat(afterWindow(0.5)).isZero();
        assertThat(afterWindow(-1)).isZero();
    }

    @Test
    void verySlowProgressTakesTwoBackAtOnce() {
        assertThat(after(10, 1)).isEqualTo(2);
        assertThat(afterWindow(0.1)).isZero();
    }

    @Test
    void beforeAWindowHasPassedNothingIsTakenBack() {
        assertThat(after(10, 1)).isEqualTo(2);
        assertThat(after(8, 0)).isEqualTo(2);
        assertThat(after(9, 0)).isZero();
    }

    @Test
    void aTrialThatMakesItFasterIsKept() {
        after(70, 1.5);
        assertThat(afterWindow(1.2)).isEqualTo(1);
        assertThat(afterWindow(1.2)).isEqualTo(2);
    }

    @Test
    void aTrialThatMakesItSlowerIsTakenBackAndTheNextWaitsLongerEveryTime() {
        after(70, 1.5);
        int[] trials = new int[3];
        int trial = 0;
        for (int window = 0; trial < trials.length; window++) {
            if (afterWindow(0.8) == 1) {
                trials[trial++] = window;
                // At twice the rate, this is less than the 0.8 of before.
                assertThat(afterWindow(0.38)).isZero();
            }
        }
        assertThat(trials[1] - trials[0]).isGreaterThan(2);
        assertThat(trials[2] - trials[1]).isGreaterThanOrEqualTo(2 * (trials[1] - trials[0]) - 1);
    }

    @Test
    void aRelaxationThatCameThroughItsTrialIsTakenBackOnceItDoesWorseThanNone() {
        assertThat(after(70, 1.5)).isZero();
        assertThat(afterWindow(1.5)).isEqualTo(1);
        assertThat(afterWindow(1.0)).isEqualTo(2);
        assertThat(afterWindow(0.45)).isEqualTo(1);
        // Not slow by its own rate, but slower than it was without it.
        assertThat(afterWindow(0.72)).isZero();
    }

    @Test
    void aTrialThatIsNotSlowByItselfIsTakenBackIfItIsSlowerThanNone() {
        after(70, 1.5);
        assertThat(afterWindow(1.5)).isEqualTo(1);
        // At twice the rate this is 1.44 of what was 1.5 without.
        assertThat(afterWindow(0.72)).isZero();
    }

    @Test
    void progressIsWhatTheGapFellByPerWindowHoweverLongItWasNotJudged() {
        after(70, 1.5);
        assertThat(after(4 * TIME_CONSTANT, 1)).isEqualTo(1);
        assertThat(after(2 * TIME_CONSTANT, 0.9)).as("1.8 of the rate without").isEqualTo(2);
        assertThat(after(TIME_CONSTANT, 0.6)).as("slow, on trial").isEqualTo(1);
        assertThat(after(2 * TIME_CONSTANT, 0.6)).as("slow").isZero();
    }

    @Test
    void verySlowProgressOverALongTimeTakesTwoBackAtOnce() {
        assertThat(after(10, 1)).isEqualTo(2);
        assertThat(after(TIME_CONSTANT, 0.2)).isZero();
    }

    @Test
    void theScaleOfTheObjectiveDoesNotMatter() {
        double tiny = 0x1p-10;
        gap = tiny;
        assertThat(after(70, 1.5, tiny)).isZero();
        assertThat(afterWindow(1.2, tiny)).isEqualTo(1);
        assertThat(afterWindow(0.5, tiny)).isZero();
    }

    @Test
    void itIsTheGapThatHasToFallAndNotItsShareOfTheObjective() {
        after(70, 1.5);
        // The gap stays what it is while the objective falls to less than a third: no trial.
        assertThat(afterWindow(0, 0.3)).isZero();
        // The gap falls as theory has it, and so does the objective.
        assertThat(afterWindow(1.2, 0.1)).isEqualTo(1);
    }

    @Test
    void roundingTakesNothingBack() {
        assertThat(after(10, 1)).isEqualTo(2);
        Certificate mostlyRounding = new Certificate(1, 0.9, 0.2, 100_000, 100);

        assertThat(adaptation.judge(mostlyRounding, pace(2), STEPS_PER_EPOCH)).isEqualTo(2);
    }

    @Test
    void nothingIsTriedWhereTheRateIsTheLargest() {
        assertThat(after(1.9, 1)).isEqualTo(5);
        assertThat(afterWindow(1)).as("with 26 factors e to go").isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"5.1, 5", "4.9, 4"})
    void nothingIsTriedWithinTwentyEpochsOfTheTarget(double factorsLeft, int tried) {
        double certified = Math.exp(-3.9 / TIME_CONSTANT - 1.01);
        adaptation = new Adaptation(certified * Math.exp(-factorsLeft));

        assertThat(after(3.9, 1)).as("a factor e in four epochs").isEqualTo(4);
        assertThat(afterWindow(1)).isEqualTo(tried);
    }

    /** The next certificate of a run with restarts, after so many epochs in which the gap fell at that many times ρ. */
    private boolean goesOnWithRestarts(double moreEpochs, double progress, double delay) {
        epochs += moreEpochs;
        gap *= Math.exp(-progress * moreEpochs / TIME_CONSTANT);
        Certificate certificate = new Certificate(1, 1 - gap, (long) (epochs * STEPS_PER_EPOCH), epochs);
        return adaptation.judgeRestarts(certificate, pace(0), new NonSmoothTuning(delay, 0.5, 1, 1e-3));
    }

    @Test
    void restartsAreLeftAloneForHalfTheTimeInWhichTheoryPromisesAFactorE() {
        assertThat(goesOnWithRestarts(10, 0, 1)).isTrue();
        assertThat(goesOnWithRestarts(10, -5, 1)).isTrue();
        assertThat(goesOnWithRestarts(10, 0, 1)).isTrue();
        assertThat(goesOnWithRestarts(20, 2.4, 1)).isFalse();
    }

    @Test
    void restartsGoOnWhileTheGapFallsFarFasterThanTheoryHasIt() {
        assertThat(goesOnWithRestarts(30, 1, 1)).isTrue();
        assertThat(goesOnWithRestarts(20, 2.6, 1)).isTrue();
        assertThat(goesOnWithRestarts(10, -5, 1)).as("a restart").isTrue();
        assertThat(goesOnWithRestarts(20, 9, 1)).as("and what followed it").isTrue();
        assertThat(goesOnWithRestarts(40, 2.4, 1)).isFalse();
    }

    @Test
    void restartsWhoseRoundsTakeLongHaveFewerSteps() {
        // A step takes 3 units of time instead of 1.
        assertThat(goesOnWithRestarts(10, 1, 5)).isTrue();
        assertThat(goesOnWithRestarts(10, 7, 5)).isFalse();
    }

    @Test
    void restartsAreLeftAloneForLongerWhereTheStepsOfTheoryTakeLonger() {
        // A step of theory's takes 2 units of time, a round being 3; one with restarts takes 1.
        double constant = TIME_CONSTANT * STEPS_PER_EPOCH;
        StepForecast theory = new Tuning(3, 1, 1, constant, 0, 0.5, 1 / constant, 1 / constant);
        StepForecast restarts = new NonSmoothTuning(1, 0.5, 1, 1e-3);
        for (long at : new long[] {20_000, 40_000, 63_000}) {
            assertThat(adaptation.judgeRestarts(new Certificate(1, 0, at, 0), theory, restarts))
                    .isTrue();
        }
        assertThat(adaptation.judgeRestarts(new Certificate(1, 0, 100_000, 0), theory, restarts))
                .isFalse();
    }

    @Test
    void nearTheTargetNothingIsTried() {
        adaptation = new Adaptation(0.05);
        after(70, 1.5);
        assertThat(afterWindow(1)).isZero();
    }

    @Test
    void aRateOfAlmostAnEpochIsTheLargest() {
        after(1.9, 1);
        assertThat(relaxations).isEqualTo(5);
        assertThat(after(2, 30)).isEqualTo(5);
        assertThat(afterWindow(1)).isEqualTo(5);
    }

    @Test
    void certificatesThatProveNothingChangeNothing() {
        assertThat(adaptation.judge(Certificate.NONE, pace(0), STEPS_PER_EPOCH)).isZero();
        assertThat(adaptation.judge(new Certificate(1, 0.5, 0.6, 10, 0), pace(0), STEPS_PER_EPOCH))
                .as("mostly rounding")
                .isZero();
        assertThat(after(10, 1)).isEqualTo(2);
    }

    @Test
    void aRestoredAdaptationGoesOnWhereItWas() throws IOException {
        after(70, 1.5);
        assertThat(afterWindow(0.8)).as("a trial").isEqualTo(1);
        assertThat(afterWindow(0.38)).as("which failed").isZero();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        adaptation.save(new DataOutputStream(bytes));
        adaptation = new Adaptation(TARGET);
        adaptation.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

        assertThat(afterWindow(0.8)).as("too soon for the next").isZero();
        for (int window = 0; window < 10 && relaxations == 0; window++) {
            afterWindow(0.8);
        }
        assertThat(relaxations).as("a trial").isEqualTo(1);
        assertThat(afterWindow(0.38)).as("judged by what came before it").isZero();
    }
}
