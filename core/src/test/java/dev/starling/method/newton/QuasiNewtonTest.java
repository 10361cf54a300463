package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.objective.PassLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which points a line search accepts, given hand-made totals. */
class QuasiNewtonTest {

    private static final double LAMBDA = 1;
    private static final PassLayout ONE = new PassLayout(1, false);

    private final HandMade hand = new HandMade(ONE, LAMBDA, 4);
    private final QuasiNewton newton = new QuasiNewton(ONE, LAMBDA, false);

    private void tell(double objective, double gradient) {
        newton.take(hand.totals(newton, objective, gradient));
        newton.advance();
    }

    private double point() {
        return newton.point()[0];
    }

    /** The objective is 8 at 0 and falls by 4 for each unit, so that a line would be at 0 in 2. */
    @BeforeEach
    void stepToTwo() {
        tell(8, -4);
    }

    /** A ten-thousandth of the 8 that the slope has promised; the slope is steeper there than before, upwards. */
    @ParameterizedTest
    @CsvSource({"7.99915,true", "7.99925,false"})
    void acceptsAStepThatLowersTheObjectiveByAPartOfWhatWasPromised(double objective, boolean kept) {
        tell(objective, 5);

        double secant = 2 - 5 * 2.0 / 9;
        if (kept) {
            assertThat(point()).isCloseTo(secant, within(1e-14));
        } else {
            assertThat(point()).isCloseTo(2 * Newton.lowest(2, 8, -16, objective, 20), within(0.2));
            assertThat(point()).isNotCloseTo(secant, within(1e-6));
        }
    }

    /** Between 2, where it still falls, and 20, where it is higher than at first. */
    @Test
    void triesAStepBetweenOneTooShortAndOneTooLong() {
        tell(7, -3.7);

        tell(30, 4);

        // On a line of 18 from 7 with −3.7 to 30 with 4.
        double a = (-3.7 + 4 - 2 * 23.0 / 18) / (18 * 18);
        double b = (3 * 23.0 / 18 + 7.4 - 4) / 18;
        double lowest = (-b + Math.sqrt(b * b + 3 * a * 3.7)) / (3 * a);
        double expected = 2 + Math.min(0.9, Math.max(0.1, lowest / 18)) * 18;
        assertThat(point()).isCloseTo(expected, within(1e-12));

        // It falls there: what is too short is now further on.
        double here = point();
        tell(6, -3.9);
        assertThat(point()).isBetween(here, 20.0);
        double there = point();
        tell(31, 4);
        assertThat(point()).isBetween(here, there);
    }

    @Test
    void shortensAStepWhoseTotalsOverflow() {
        newton.take(hand.tooLarge(newton));
        newton.advance();

        assertThat(point()).isCloseTo(0.2, within(1e-15));
    }

    @Test
    void doesNotRegulariseAFreeIntercept() {
        PassLayout free = new PassLayout(2, true);
        QuasiNewton one = new QuasiNewton(free, LAMBDA, false);
        one.beginAt(new double[] {2, 3});

        one.take(new HandMade(free, LAMBDA, 4).totals(one, 5, 1, 0));

        assertThat(one.objective()).isEqualTo(5);
        assertThat(one.gradient).containsExactly(1, 0);
        assertThat(one.gap()).isEqualTo(0.5);
    }
}
