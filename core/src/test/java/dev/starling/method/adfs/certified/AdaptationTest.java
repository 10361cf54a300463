package dev.starling.method.adfs.certified;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Tuning;
import org.junit.jupiter.api.Test;

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
    void revokesRelaxationsWhereProgressIsSlow() {
        assertThat(after(10, 1)).isEqualTo(2);
        assertThat(afterWindow(0.5)).isEqualTo(1);
        assertThat(afterWindow(0.5)).isZero();
        assertThat(afterWindow(-1)).isZero();
    }

    @Test
    void keepsARelaxationThatMakesProgressFaster() {
        after(70, 1.5);
        assertThat(afterWindow(1.2)).isEqualTo(1);
        assertThat(afterWindow(1.2)).isEqualTo(2);
    }

    @Test
    void revokesARelaxationThatIsSlowerThanNone() {
        after(70, 1.5);
        assertThat(afterWindow(1.5)).isEqualTo(1);
        // At twice the rate this is 1.44 of what was 1.5 without.
        assertThat(afterWindow(0.72)).isZero();
    }

    @Test
    void doesNotDependOnTheScaleOfTheObjective() {
        double tiny = 0x1p-10;
        gap = tiny;
        assertThat(after(70, 1.5, tiny)).isZero();
        assertThat(afterWindow(1.2, tiny)).isEqualTo(1);
        assertThat(afterWindow(0.5, tiny)).isZero();
    }

    @Test
    void doesNotRevokeBecauseOfRounding() {
        assertThat(after(10, 1)).isEqualTo(2);
        Certificate mostlyRounding = new Certificate(1, 0.9, 0.2, 100_000, 100);

        assertThat(adaptation.judge(mostlyRounding, pace(2), STEPS_PER_EPOCH)).isEqualTo(2);
    }

    @Test
    void triesNothingNearTheTarget() {
        adaptation = new Adaptation(0.05);
        after(70, 1.5);
        assertThat(afterWindow(1)).isZero();
    }

    @Test
    void ignoresCertificatesThatProveNothing() {
        assertThat(adaptation.judge(Certificate.NONE, pace(0), STEPS_PER_EPOCH)).isZero();
        assertThat(adaptation.judge(new Certificate(1, 0.5, 0.6, 10, 0), pace(0), STEPS_PER_EPOCH))
                .as("mostly rounding")
                .isZero();
        assertThat(after(10, 1)).isEqualTo(2);
    }
}
