package dev.starling.method.multipliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a search along a line ends, on functions whose slopes are known everywhere. */
class LineSearchTest {

    private static double search(LineSearch search, DoubleUnaryOperator slope) {
        search.begin(slope.applyAsDouble(0));
        while (!search.isDone()) {
            look(search, slope);
        }
        return search.step();
    }

    private static void look(LineSearch search, DoubleUnaryOperator slope) {
        search.take(Arrays.stream(search.trials()).map(slope).toArray());
    }

    @Test
    void theFirstStepsArePowersOfTwoUpToTwo() {
        LineSearch search = new LineSearch(false, false);
        search.begin(-1);

        assertThat(search.trials()).containsExactly(1.0 / 64, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1, 2);
        assertThat(search.hasLooked()).isFalse();
        assertThat(search.isDone()).isFalse();
        look(search, t -> t - 1.5);
        assertThat(search.hasLooked()).isTrue();
    }

    /** From one two-hundredth of the first steps to a thousand times as far. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-12, 0.001, 0.01, 0.3, 0.75, 1.5, 1.99, 3, 500, 1e6})
    void theLowestPointOfAParabolaIsFound(double lowest) {
        assertThat(search(new LineSearch(false, false), t -> t - lowest)).isCloseTo(lowest, within(1e-12 * lowest));
    }

    /** A slope of 0 is as low as it gets, however far it goes on. */
    @Test
    void aSlopeOfZeroIsAMinimum() {
        assertThat(search(new LineSearch(false, false), t -> t < 0.2 ? -1 : 0)).isEqualTo(2);
        assertThat(search(new LineSearch(false, false), t -> t < 1.2 ? -1 : t < 3 ? 0 : 1))
                .isEqualTo(2);
    }

    /** Whatever the function, it is no higher there than at the start. */
    @Test
    void theStepNeverIncreasesTheFunction() {
        Random random = new Random(1);
        for (int run = 0; run < 500; run++) {
            // A sum of kinks: slopes −1 at first, which jump at random places.
            int kinks = 1 + random.nextInt(6);
            double[] at = random.doubles(kinks, -8, 3).map(Math::exp).toArray();
            double[] jump = random.doubles(kinks, 0, 2).toArray();
            DoubleUnaryOperator slope = t -> {
                double sum = -1;
                for (int k = 0; k < kinks; k++) {
                    sum += t > at[k] ? jump[k] : 0;
                }
                return sum;
            };

            double step = search(new LineSearch(false, run % 2 == 0), slope);

            double fall = -step;
            for (int k = 0; k < kinks; k++) {
                fall += jump[k] * Math.max(0, step - at[k]);
            }
            assertThat(fall).isLessThanOrEqualTo(1e-12);
            assertThat(step).isPositive();
        }
    }

    @Test
    void aLineThatOnlyRisesHasNoStep() {
        LineSearch search = new LineSearch(false, false);
        int looks = 0;
        search.begin(1);
        while (!search.isDone()) {
            look(search, t -> 1);
            looks++;
        }

        assertThat(search.step()).isZero();
        assertThat(looks).isEqualTo(8);
    }

    /** Slopes that are no numbers, or infinite, are too far. */
    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
    void slopesThatAreNotNumbersAreAvoided(double far) {
        assertThat(search(new LineSearch(false, false), t -> t > 0.3 ? far : -1))
                .isEqualTo(0.25);
    }

    /** Where slopes may be less than they are, none tells to go farther than the first steps. */
    @Test
    void aCautiousSearchStaysWithinTheFirstSteps() {
        assertThat(search(new LineSearch(true, false), t -> -1)).isEqualTo(2);
        assertThat(search(new LineSearch(true, false), t -> t - 0.75)).isCloseTo(0.75, within(1e-15));
        LineSearch bold = new LineSearch(false, false);
        bold.begin(-1);
        look(bold, t -> -1);
        assertThat(bold.isDone()).isFalse();
        assertThat(bold.trials()).startsWith(4, 8).endsWith(512);
    }

    /** A cautious one looks nearer all the same. */
    @Test
    void aCautiousSearchShortensWhenAllFirstStepsRise() {
        LineSearch search = new LineSearch(true, false);
        search.begin(-1);
        look(search, t -> t - 0.001);

        assertThat(search.isDone()).isFalse();
        assertThat(search.trials()).endsWith(1.0 / 128);
    }

    /** From −1 at ½ to s at 1; and from −1 at 1 to s at 2. */
    @ParameterizedTest
    @CsvSource({"1,true,1", "0.5,true,1", "1.5,true,0.7", "1,false,0.75"})
    void aFullStepIsTakenWhenItIsAboutAsGood(double slope, boolean whole, double expected) {
        double step = search(new LineSearch(false, whole), t -> t >= 1 ? slope : -1);

        assertThat(step).isCloseTo(expected, within(1e-15));
    }

    @ParameterizedTest
    @CsvSource({"true,1", "false,1.5"})
    void aFullStepIsTakenWhenItIsTheLastThatFalls(boolean whole, double expected) {
        assertThat(search(new LineSearch(false, whole), t -> t >= 2 ? 1 : -1)).isEqualTo(expected);
    }

    /** Half a direction, or twice as much, is no whole one. */
    @Test
    void noOtherStepIsPreferred() {
        assertThat(search(new LineSearch(false, true), t -> t >= 0.5 ? 1 : -1)).isEqualTo(0.375);
        assertThat(search(new LineSearch(false, true), t -> t >= 4 ? 1 : -1)).isEqualTo(3);
    }

    @Test
    void aNewSearchForgetsThePreviousOne() {
        LineSearch search = new LineSearch(false, false);
        search(search, t -> 1);

        assertThat(search(search, t -> t - 0.3)).isCloseTo(0.3, within(1e-14));
    }
}
