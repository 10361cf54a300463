package dev.starling.method;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoppingRuleTest {

    @Test
    void isMetByItsGapOrLess() {
        StoppingRule quarter = new StoppingRule(0.25, 10);

        assertThat(quarter.isMet(new Certificate(4, 3, 1, 1))).isTrue();
        assertThat(quarter.isMet(new Certificate(4, 3.5, 1, 1))).isTrue();
        assertThat(quarter.isMet(new Certificate(4, 2.99, 1, 1))).isFalse();
        assertThat(quarter.isMet(Certificate.NONE)).isFalse();
    }

    @Test
    void takesTheSmallestGapThatCanBeProven() {
        StoppingRule smallest = new StoppingRule(1e-14, Double.MIN_VALUE);

        assertThat(smallest.relativeGap()).isEqualTo(1e-14);
        assertThat(smallest.timed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10, gap 0.0 must be positive",
        "-1, 10, gap -1.0 must be positive",
        "NaN, 10, gap NaN must be positive",
        "9.9e-15, 10, gap 9.9E-15 is less than double precision can prove; use 1.0E-14 or more",
        "1e-6, 0, max-epochs 0.0 must be positive",
        "1e-6, -1, max-epochs -1.0 must be positive",
        "1e-6, NaN, max-epochs NaN must be positive",
    })
    void refusesGapsAndLimitsThatCannotBeMet(double gap, double epochs, String message) {
        assertThatRefused(() -> new StoppingRule(gap, epochs)).hasMessageStartingWith(message);
    }
}
