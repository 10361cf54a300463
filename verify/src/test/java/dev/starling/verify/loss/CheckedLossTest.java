package dev.starling.verify.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import java.util.Random;
import org.apache.commons.numbers.core.DD;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker's losses are the losses that are trained with, and satisfy what bounds are made of. */
class CheckedLossTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logistic",
                "squared",
                "squared-hinge",
                "smoothed-hinge(0.3)",
                "huber(0.7)",
                "squared-epsilon-insensitive(0.2)",
                "hinge",
                "absolute",
                "epsilon-insensitive(0.3)",
                "quantile(0.2)"
            })
    void valuesSlopesAndConjugatesAgreeWithTheLossesOfTraining(String name) {
        CheckedLoss checked = CheckedLoss.named(name);
        Loss trained = Losses.named(name);
        assertThat(checked.isClassification()).isEqualTo(trained.isClassification());
        Random random = new Random(3);
        for (int k = 0; k < 2000; k++) {
            double label = checked.isClassification() ? random.nextBoolean() ? 1 : -1 : random.nextGaussian();
            double margin = 4 * random.nextGaussian();
            DD exact = DD.of(margin);
            double slope = checked.slope(exact, label);
            assertThat(checked.value(exact, label).hi())
                    .isCloseTo(trained.value(margin, label), within(1e-14 * (1 + margin * margin)));
            assertThat(slope).isCloseTo(trained.derivative(margin, label), within(1e-14 * (1 + Math.abs(margin))));
            assertThat(checked.conjugate(slope, label).hi())
                    .isCloseTo(trained.conjugate(slope, label), within(1e-13 * (1 + slope * slope)));
            // Fenchel and Young: ℓ(u) + ℓ*(s) ≥ su for every slope, with equality at the margin's own.
            double own = checked.value(exact, label)
                    .add(checked.conjugate(slope, label))
                    .subtract(exact.multiply(slope))
                    .hi();
            assertThat(own).isBetween(-1e-28, 1e-25);
            double step = Math.exp(2 * random.nextGaussian());
            double other = checked.proximalSlope(margin, step, label);
            assertThat(other)
                    .isCloseTo(trained.proxSlope(margin, step, label, 0), within(1e-12 * (1 + Math.abs(margin))));
            double ahead = checked.proximalSlope(margin + 1e-6, step, label);
            double behind = checked.proximalSlope(margin - 1e-6, step, label);
            double curvature = checked.curvature(other, step, label);
            if (checked.curvature(ahead, step, label) > 0 == checked.curvature(behind, step, label) > 0) {
                assertThat((ahead - behind) / 2e-6).isCloseTo(curvature, within(1e-8 + 1e-5 * curvature));
            }
            assertThat(checked.value(exact, label)
                            .add(checked.conjugate(other, label))
                            .subtract(exact.multiply(other))
                            .hi())
                    .isGreaterThanOrEqualTo(-1e-28);
        }
    }
}
