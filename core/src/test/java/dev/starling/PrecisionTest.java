package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Squared;
import dev.starling.settings.Precision;
import dev.starling.settings.Setting;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Values are kept as they are unless the settings ask for floats. */
class PrecisionTest {

    private static Dataset rows() {
        Random random = new Random(2);
        double[][] x = new double[200][3];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = new double[] {random.nextDouble(), 16_777_217 + i, random.nextInt(3)};
            y[i] = x[i][0] + 0.5 * i + random.nextGaussian();
        }
        return Dataset.of(x, y);
    }

    private static Fit fit(Precision precision, Dataset rows) {
        return Trainer.of(new Squared())
                .lambda(1e-6)
                .intercept(true)
                .holdout(0.25)
                .with(Setting.PRECISION, precision)
                .fit(rows);
    }

    @Test
    void floatsAreTheRowsRoundedAndTheModelSaysSo() {
        Fit exact = fit(Precision.EXACT, rows());
        Fit rounded = fit(Precision.FLOAT, rows());

        assertThat(rows().inFloats().values().areFloats()).isTrue();
        assertThat(rounded.model().provenance().settings()).containsEntry("precision", "float");
        assertThat(exact.model().provenance().settings()).containsEntry("precision", "exact");
        assertThat(rounded.model().weights(0)).isNotEqualTo(exact.model().weights(0));
        // The same rows are held out either way: that is decided by the rows as they are.
        assertThat(rounded.model().provenance().rows().count())
                .isEqualTo(exact.model().provenance().rows().count());
    }

    @Test
    void whatIsExactInFloatsIsTheSameModel() {
        Dataset floats = rows().inFloats();
        assertThat(fit(Precision.FLOAT, floats).model().weights(0))
                .isEqualTo(fit(Precision.EXACT, floats).model().weights(0));
    }

    @Test
    void refusesValuesThatNoFloatHolds() {
        Dataset large = Dataset.of(new double[][] {{1e39, 1}, {2, 3}}, new double[] {1, 2});
        assertThatThrownBy(() -> fit(Precision.FLOAT, large))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("1.0E39 is too large for a float; keep values exact");
    }
}
