package dev.starling.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateTest {

    private static final double INFINITE = Double.POSITIVE_INFINITY;

    @ParameterizedTest
    @CsvSource({
        "4, 3, 0, 0.25",
        "4, 3, 1, 0.5",
        // Rounding may put the dual value above the primal one: the least that can be said is said.
        "4, 5, 0, 0x1p-48",
        "4, 4, 0, 0x1p-48",
        "4, 5, 2, 0.25",
        // Nothing is better than an objective of 0, if it is one.
        "0, 0, 0, 0",
        "0, 0, 1e-300, Infinity",
        "0, -1, 0, 0",
        // What proves nothing.
        "4, -Infinity, 0, Infinity",
        "Infinity, 3, 0, Infinity",
        "Infinity, -Infinity, 0, Infinity",
        "NaN, 3, 0, Infinity",
        "4, NaN, 0, Infinity",
        "4, 3, NaN, Infinity",
    })
    void theRelativeGapIsThatToTheObjective(double objective, double dual, double error, double gap) {
        assertThat(new Certificate(objective, dual, error, 1, 1).relativeGap()).isEqualTo(gap);
    }

    @Test
    void provesNothingBeforeItIsMade() {
        assertThat(Certificate.NONE.relativeGap()).isEqualTo(INFINITE);
    }

    @ParameterizedTest
    @CsvSource({
        // Of a gap of 1 + 1, rounding is half: the greater part begins there.
        "4, 3, 1, true",
        "4, 3, 0.99, false",
        "4, 3, 1.01, true",
        "4, 4, 0.1, true",
        "4, 4, 0, true",
        "4, 3, 0, false",
    })
    void isMostlyRoundingWhenErrorsAreHalfOfTheGap(double objective, double dual, double error, boolean mostly) {
        assertThat(new Certificate(objective, dual, error, 1, 1).isMostlyRounding())
                .isEqualTo(mostly);
    }

    @Test
    void certifiesTheSumOfTwoObjectives() {
        Certificate sum = new Certificate(4, 3, 0.5, 4, 2.5, 7, 2).plus(new Certificate(10, 6, 0.25, 10, 5.75, 5, 0.5));

        assertThat(sum).isEqualTo(new Certificate(14, 9, 0.75, 14, Math.nextDown(8.25), 12, 2.5));
    }

    @Test
    void theBoundIsNeverAboveWhatIsProven() {
        Certificate proven = new Certificate(4, 3, 0.5, 1, 1);
        assertThat(proven.bound()).isLessThan(2.5).isGreaterThan(2.5 - 1e-14);
        // A tenth is not a double, nor is 3 less a tenth.
        double tenth = 0.1;
        double tiny = 1e-30;
        assertThat(new BigDecimal(Certificate.below(3, tenth)))
                .isLessThan(new BigDecimal(3).subtract(new BigDecimal(tenth)));
        assertThat(new BigDecimal(Certificate.below(tenth, tiny)))
                .isLessThan(new BigDecimal(tenth).subtract(new BigDecimal(tiny)));
        assertThat(proven.times(0.25).bound()).isEqualTo(proven.bound() / 4);
        assertThat(proven.movedBy(1e-8, 1, INFINITE, true).bound())
                .isLessThan(proven.bound() - 2 * 1e-8 * Math.sqrt(2 * 5.5));
        assertThat(Certificate.NONE.bound()).isEqualTo(-INFINITE);
        assertThat(Certificate.NONE.plus(proven).bound()).isEqualTo(-INFINITE);
        assertThat(proven.above0(0.5).bound()).isEqualTo(proven.bound());
        assertThat(new Certificate(1e-30, 1e-31, 1e-20, 1, 1).above0(2e-30).bound())
                .isZero();
    }

    @Test
    void relatesTheGapOfATinyObjectiveToMore() {
        Certificate tiny = new Certificate(0x1p-100, 0, 0x1p-100, 1, 1);
        assertThat(tiny.relativeGap()).isEqualTo(2);
        assertThat(tiny.relativeTo(0x1p-60).relativeGap()).isEqualTo(0x1p-39);
        assertThat(tiny.relativeTo(0x1p-120)).isEqualTo(tiny);
        assertThat(tiny.times(4).relativeTo(0x1p-60).relativeGap()).isEqualTo(0x1p-37);
    }

    @Test
    void comparesAbsoluteGapsWhereAnObjectiveIsUnknown() {
        Certificate known = new Certificate(4, 3, 1, 1);
        Certificate unknown = new Certificate(0, 0, 1e-30, 0, 0, 1, 1);
        assertThat(unknown.relativeGap()).isEqualTo(INFINITE);
        assertThat(unknown.betterThan(known)).isTrue();
        assertThat(known.betterThan(unknown)).isFalse();
        assertThat(unknown.betterThan(Certificate.NONE)).isTrue();
    }

    @Test
    void isBetterByAFactorOrNot() {
        Certificate half = new Certificate(4, 2, 1, 1);
        Certificate quarter = new Certificate(4, 3, 1, 1);
        assertThat(quarter.betterThan(half, 0.6)).isTrue();
        assertThat(quarter.betterThan(half, 0.5)).isFalse();
    }

    @Test
    void isBetterOnlyWithASmallerGap() {
        Certificate half = new Certificate(4, 2, 1, 1);
        Certificate halfToo = new Certificate(2, 1, 9, 9);
        Certificate quarter = new Certificate(4, 3, 1, 1);

        assertThat(quarter.betterThan(half)).isTrue();
        assertThat(half.betterThan(quarter)).isFalse();
        assertThat(half.betterThan(halfToo)).isFalse();
        assertThat(half.betterThan(Certificate.NONE)).isTrue();
        assertThat(Certificate.NONE.betterThan(Certificate.NONE)).isFalse();
    }
}
