package dev.starling.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.verify.loss.CheckedLoss;
import java.util.SplittableRandom;
import org.apache.commons.numbers.core.DD;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The definitions of families by which models are checked, against theory and against those by which they are trained.
 */
class FamiliesTest {

    private static double label(String family, SplittableRandom random) {
        return switch (family) {
            case "binomial", "quasi-binomial", "binomial(probit)", "binomial(cloglog)" -> random.nextInt(5) / 4.0;
            case "gamma", "inverse-gaussian" -> Math.exp(random.nextDouble(-3, 3));
            default -> random.nextInt(9);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "binomial",
                "quasi-binomial",
                "negative-binomial(1.7)",
                "gamma",
                "quasi-poisson",
                "binomial(probit)",
                "binomial(cloglog)",
                "tweedie(1.3)",
                "inverse-gaussian"
            })
    void lossesAreThoseOfTraining(String family) {
        CheckedLoss checked = CheckedLoss.named(family);
        Loss trained = Losses.named(family);
        SplittableRandom random = new SplittableRandom(3);
        for (int k = 0; k < 2000; k++) {
            double label = label(family, random);
            double margin = random.nextDouble(-6, 6);
            double value = trained.value(margin, label);
            assertThat(checked.value(DD.of(margin), label).hi()).isCloseTo(value, within(1e-12 * (1 + value)));
            double slope = trained.derivative(margin, label);
            assertThat(checked.slope(DD.of(margin), label)).isCloseTo(slope, within(1e-12 * (1 + Math.abs(slope))));
            CheckedLoss.Curved curved = checked.curved().orElseThrow();
            assertThat(curved.slope().apply(DD.of(margin), label).hi())
                    .isCloseTo(slope, within(1e-12 * (1 + Math.abs(slope))));
            double curvature = trained.curvature(margin, label);
            assertThat(curved.curvature().apply(DD.of(margin), label).hi())
                    .isCloseTo(curvature, within(1e-12 * (1 + Math.abs(curvature))));
            assertThat(checked.allows(label)).isTrue();
        }
        assertThat(checked.allows(-1)).isFalse();
    }

    /** Differences of values and slopes in double-doubles, and what the third derivative does within a radius. */
    @ParameterizedTest
    @ValueSource(strings = {"binomial(probit)", "binomial(cloglog)", "tweedie(1.3)", "inverse-gaussian"})
    void derivativesAreThoseOfTheValues(String family) {
        CheckedLoss checked = CheckedLoss.named(family);
        CheckedLoss.Curved curved = checked.curved().orElseThrow();
        SplittableRandom random = new SplittableRandom(8);
        double h = 1e-7;
        for (int k = 0; k < 400; k++) {
            double label = label(family, random);
            double u = k % 20 == 0 ? random.nextDouble(-12, 3) : random.nextDouble(-4, 3);
            DD up = DD.of(u).add(h);
            DD down = DD.of(u).add(-h);
            double slope = checked.value(up, label)
                    .subtract(checked.value(down, label))
                    .divide(2 * h)
                    .hi();
            double size = 1 + checked.termsOfValue(u, label);
            assertThat(curved.slope().apply(DD.of(u), label).hi()).isCloseTo(slope, within(1e-11 * size));
            double bend = curved.slope()
                    .apply(up, label)
                    .subtract(curved.slope().apply(down, label))
                    .divide(2 * h)
                    .hi();
            assertThat(curved.curvature().apply(DD.of(u), label).hi()).isCloseTo(bend, within(1e-11 * size));
            double radius = random.nextDouble(0, 0.5);
            double at = u + random.nextDouble(-radius, radius);
            double third = curved.curvature()
                    .apply(DD.of(at).add(h), label)
                    .subtract(curved.curvature().apply(DD.of(at).add(-h), label))
                    .divide(2 * h)
                    .hi();
            assertThat(Math.abs(third))
                    .isLessThanOrEqualTo(curved.third().most(u, label, radius) * (1 + 1e-9) + 1e-9 * size);
        }
    }

    /** ℓ(u) + ℓ*(s) ≥ su, with equality where s is the slope at u. */
    @ParameterizedTest
    @ValueSource(strings = {"binomial", "negative-binomial(1.7)", "negative-binomial(40.0)", "gamma"})
    void conjugatesBoundLossesFromBelow(String family) {
        CheckedLoss loss = CheckedLoss.named(family);
        SplittableRandom random = new SplittableRandom(4);
        for (int k = 0; k < 2000; k++) {
            double label = label(family, random);
            DD margin = DD.of(random.nextDouble(-6, 6));
            double own = loss.slope(margin, label);
            double other = loss.slope(DD.of(random.nextDouble(-6, 6)), label);
            double size = 1 + loss.termsOfValue(margin.hi(), label);
            assertThat(excess(loss, margin, own, label)).isBetween(-1e-26 * size, 1e-26 * size);
            assertThat(excess(loss, margin, other, label)).isGreaterThanOrEqualTo(-1e-26 * size);
        }
    }

    private static double excess(CheckedLoss loss, DD margin, double slope, double label) {
        return loss.value(margin, label)
                .add(loss.conjugate(slope, label))
                .subtract(margin.multiply(slope))
                .hi();
    }

    @ParameterizedTest
    @ValueSource(strings = {"binomial", "negative-binomial(1.7)", "gamma"})
    void proximalSlopesSolveTheirEquation(String family) {
        CheckedLoss loss = CheckedLoss.named(family);
        SplittableRandom random = new SplittableRandom(5);
        for (int k = 0; k < 2000; k++) {
            double label = label(family, random);
            double point = random.nextDouble(-8, 8);
            double step = Math.exp(random.nextDouble(-6, 6));
            double slope = loss.proximalSlope(point, step, label);
            double again = loss.slope(DD.of(point).subtract(DD.ofProduct(step, slope)), label);
            double bend = loss.curvature(slope, step, label);
            // What rounding leaves of the slope is multiplied by the step and by the curvature.
            assertThat(again)
                    .isCloseTo(
                            slope,
                            within(1e-12
                                    * (1 + step * bend / (1 - Math.min(0.999, step * bend)))
                                    * (1 + Math.abs(slope))));
            double width = 1e-6;
            double numeric =
                    (loss.proximalSlope(point + width, step, label) - loss.proximalSlope(point - width, step, label))
                            / (2 * width);
            assertThat(bend).isCloseTo(numeric, within(1e-5 * (1 + Math.abs(numeric))));
        }
    }
}
