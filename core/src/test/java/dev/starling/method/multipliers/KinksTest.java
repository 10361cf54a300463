package dev.starling.method.multipliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.PiecewiseLinearLoss;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slopes of losses whose kinks are rounded, and sums of them along a line, against minimising what defines them. */
class KinksTest {

    private static final double BAND = 0.25;

    /** (m + γa − t)/γ, where t is the proximal point of m + γa. */
    private static double slope(Loss loss, double margin, double label, double multiplier) {
        double point = margin + BAND * multiplier;
        return (point - loss.prox(point, BAND, label, 0)) / BAND;
    }

    private static Kinks kinks(String loss) {
        return new Kinks((PiecewiseLinearLoss) Losses.named(loss));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hinge", "absolute", "quantile(0.3)", "epsilon-insensitive(0.2)"})
    void aRoundedSlopeIsThatOfTheProximalPoint(String name) {
        Loss loss = Losses.named(name);
        Kinks kinks = kinks(name);
        Random random = new Random(3);
        for (int run = 0; run < 500; run++) {
            double label = loss.isClassification() ? random.nextBoolean() ? 1 : -1 : random.nextGaussian();
            double margin = label + 0.5 * random.nextGaussian();
            double low = kinks.low(label);
            double high = kinks.high(label);
            double multiplier = low + (high - low) * random.nextDouble();

            double found = kinks.slope(margin, label, multiplier, BAND, 1 / BAND);

            assertThat(found).isCloseTo(slope(loss, margin, label, multiplier), within(1e-9));
            assertThat(kinks.middle(label)).isEqualTo((low + high) / 2);
        }
    }

    @Test
    void aKinkHoldsAnySlopeBetweenItsSides() {
        Kinks hinge = kinks("hinge");
        assertThat(hinge.holds(-0.5, 1)).isTrue();
        assertThat(hinge.holds(-1, 1)).isFalse();
        assertThat(hinge.holds(0, 1)).isFalse();
        assertThat(hinge.holds(0.5, 1)).isFalse();
        assertThat(hinge.holds(0.5, -1)).isTrue();
        assertThat(hinge.holds(-0.5, -1)).isFalse();
        // Half-way between its slopes the absolute loss is held; where nothing costs anything, it is not.
        assertThat(kinks("absolute").holds(0, 1)).isTrue();
        assertThat(kinks("epsilon-insensitive(0.2)").holds(0, 1)).isFalse();
        assertThat(kinks("epsilon-insensitive(0.2)").holds(0.1, 1)).isTrue();
        assertThat(kinks("epsilon-insensitive(0.2)").tolerance()).isEqualTo(0.2);
    }

    /** Σ w s xᵀp at several steps, of two blocks of samples whose slopes partly stay what they are. */
    @ParameterizedTest
    @ValueSource(strings = {"hinge", "absolute", "quantile(0.3)", "epsilon-insensitive(0.2)"})
    void slopesAlongALineAreThoseOfEverySample(String name) {
        Loss loss = Losses.named(name);
        Kinks kinks = kinks(name);
        LineSlopes line = new LineSlopes(kinks);
        LineSlopes single = new LineSlopes(kinks);
        single.begin(BAND);
        Random random = new Random(4);
        double[] steps = {0.25, 0.5, 1, 2};
        double[] sums = new double[GradientLayout.FIRST + steps.length];
        double[] expected = new double[steps.length];
        for (int repeat = 0; repeat < 2; repeat++) {
            Arrays.fill(sums, 0);
            Arrays.fill(expected, 0);
            line.begin(BAND);
            for (int block = 0; block < 2; block++) {
                for (int k = 0; k < 100; k++) {
                    double label = loss.isClassification() ? random.nextBoolean() ? 1 : -1 : random.nextGaussian();
                    double margin = label + (k % 3 == 0 ? 20 : 1) * random.nextGaussian();
                    double change = random.nextGaussian();
                    double multiplier = kinks.middle(label);
                    double speed = random.nextGaussian();
                    double slope = kinks.slope(margin, label, multiplier, BAND, 1 / BAND);
                    line.add(margin, change, multiplier, label, slope, speed, 2, k % 5 == 0);
                    for (int s = 0; s < steps.length; s++) {
                        double after = slope(loss, margin + steps[s] * change, label, multiplier);
                        expected[s] += speed * after;
                        assertThat(single.after(steps[s], margin, change, multiplier, label, slope))
                                .isCloseTo(after, within(1e-9));
                    }
                }
                line.finishBlock(steps, sums);
            }
            line.finish(steps, sums);

            assertThat(Arrays.copyOfRange(sums, GradientLayout.FIRST, sums.length))
                    .containsExactly(expected, within(1e-7));
        }
    }

    /** After no step a slope is what was told, whatever rounding would make of it. */
    @Test
    void aStepOfZeroLeavesTheSlope() {
        LineSlopes line = new LineSlopes(kinks("hinge"));
        line.begin(BAND);

        assertThat(line.after(0, 1, 1, -0.5, 1, -0.123)).isEqualTo(-0.123);
    }
}
