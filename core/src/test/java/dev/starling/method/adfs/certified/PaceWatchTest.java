package dev.starling.method.adfs.certified;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Tuning;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Certificates of a run whose theory promises a factor e in 1,000 steps, one every 2,000 steps. */
class PaceWatchTest {

    private static final double RATE = 1e-3;
    private static final long INTERVAL = 2000;

    private static final StepForecast PACE = new Tuning(5, 1, 1, 1 / RATE, 0, 0, RATE, RATE);

    private final PaceWatch watch = new PaceWatch();
    private double objective = 1;
    private double gap;
    private long steps;

    @BeforeEach
    void begin() {
        gap = 0.1;
        assertThat(watch.isBehindTheory(new Certificate(objective, objective - gap, steps, 0), PACE))
                .isFalse();
    }

    /** The next certificate, after the gap has fallen at the given share of theory's pace. */
    private Certificate after(double share) {
        steps += INTERVAL;
        gap *= Math.exp(-share * RATE * INTERVAL);
        return new Certificate(objective, objective - gap, steps, 0);
    }

    private boolean isBehindAfter(double share) {
        return watch.isBehindTheory(after(share), PACE);
    }

    @Test
    void acceptsHalfThePaceOfTheory() {
        for (int check = 0; check < 10; check++) {
            assertThat(isBehindAfter(0.51)).isFalse();
        }
        assertThat(isBehindAfter(0.48)).isTrue();
    }

    @Test
    void aGoodCertificateMakesUpForALateOne() {
        assertThat(isBehindAfter(0.1)).isFalse();
        assertThat(isBehindAfter(1)).isFalse();
        assertThat(isBehindAfter(0.1)).isFalse();
    }

    @Test
    void doesNotMistakeAFallingObjectiveForDelay() {
        // Gaps fall at 0.55 of the pace, but as shares of what is left of the objective at 0.38 of it.
        for (int check = 0; check < 2; check++) {
            objective *= 0.71;
            assertThat(isBehindAfter(0.55)).isFalse();
        }
    }

    @Test
    void anObjectiveOfZeroIsNeverLate() {
        isBehindAfter(1);
        assertThat(watch.isBehindTheory(new Certificate(0, 0, 100 * INTERVAL, 0), PACE))
                .isFalse();
    }
}
