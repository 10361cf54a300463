package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.keys.Fingerprint;
import dev.starling.data.keys.RowKeys;
import dev.starling.loss.Squared;
import dev.starling.settings.Precision;
import dev.starling.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

        assertThat(rows().inFloats().areFloats()).isTrue();
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
        assertThatRefused(() -> fit(Precision.FLOAT, large))
                .hasMessageContaining("1.0E39 is too large for a float; keep values exact");
    }

    @Test
    void aReaderRoundsRowsWithoutChangingWhichAreHeldOut(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("rows.txt");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append(i % 7)
                    .append(" 1:")
                    .append(i / 7.0)
                    .append(" 3:")
                    .append(i % 5)
                    .append('\n');
        }
        Files.writeString(file, text);
        Dataset exact = DatasetReader.standard().read(file);
        Dataset rounded = DatasetReader.standard().inFloats(true).read(file);

        assertThat(exact.areFloats()).isFalse();
        assertThat(rounded.areFloats()).isTrue();
        assertThat(Fingerprint.of(rounded)).isEqualTo(Fingerprint.of(exact.inFloats()));
        for (int row = 0; row < exact.rows(); row++) {
            assertThat(RowKeys.ofContent(rounded, row)).isEqualTo(RowKeys.ofContent(exact, row));
        }
        Dataset unkeyed = DatasetReader.standard().inFloats(true, false).read(file);
        assertThat(Fingerprint.of(unkeyed)).isEqualTo(Fingerprint.of(rounded));
        assertThat(unkeyed.isKeyed())
                .as("nobody needs keys where all rows are trained on")
                .isFalse();
        assertThat(fit(Precision.FLOAT, rounded).model().weights(0))
                .isEqualTo(fit(Precision.FLOAT, exact).model().weights(0));
    }

    @Test
    void aReaderNamesTheFileOfAValueThatNoFloatHolds(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("large.txt"), "1 1:1e39\n2 1:3\n");
        for (boolean keyed : new boolean[] {true, false}) {
            assertThatRefused(
                            () -> DatasetReader.standard().inFloats(true, keyed).read(file))
                    .hasMessage(file + ": the value 1.0E39 is too large for a float; keep values exact");
        }
    }
}
