package dev.starling.job;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuredDelayTest {

    @Test
    void roundsToTwoDigits() {
        assertThat(MeasuredDelay.of(new double[] {3, 370})).isEqualTo(120);
        assertThat(MeasuredDelay.of(new double[] {3, 1})).isEqualTo(1);
    }

    /** Any node may say anything: what it says reaches all others. */
    @ParameterizedTest
    @CsvSource({"NaN, 1", "1, NaN", "0, 1", "1, Infinity", "-1, 1", "Infinity, Infinity", "1e-300, 1e300"})
    void refusesWhatIsNoTime(double step, double message) {
        assertThatRefused(() -> MeasuredDelay.of(new double[] {step, message})).hasMessageContaining("microseconds");
    }
}
