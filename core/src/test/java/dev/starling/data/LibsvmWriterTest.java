package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.text.AtomicFiles;
import dev.starling.data.text.ShortestDecimal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LibsvmWriterTest {

    private static String text(Dataset rows) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LibsvmWriter.write(rows, out);
        return out.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void writesLabelsAndNonZeroValuesInTheirShortestForm() throws IOException {
        Dataset dense = Dataset.dense(3, new double[] {0.1, 0, -2, 1e-20, 1.5e30, 100}, new double[] {1, -3.25});
        assertThat(text(dense)).isEqualTo("1 1:0.1 3:-2\n-3.25 1:1e-20 2:1.5e30 3:100\n");
        assertThat(text(dense.laidOut(false))).isEqualTo(text(dense));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows", "rows.gz"})
    void whatIsWrittenIsReadBackToTheSameArrays(String name, @TempDir Path folder) {
        Random random = new Random(11);
        for (int round = 0; round < 30; round++) {
            int features = 1 + random.nextInt(40);
            Dataset rows = random(random, 1 + random.nextInt(300), features, random.nextDouble());
            Path file = folder.resolve(name);
            LibsvmWriter.write(rows, file);
            DatasetReader reader = DatasetReader.standard()
                    .format(Format.LIBSVM)
                    .features(features)
                    .pieces(1 + random.nextInt(5000), 2);
            DatasetReaderTest.assertSame(reader.read(file), rows);
        }
        assertThat(folder).isDirectoryContaining(file -> file.endsWith(name));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Rows laid out as a reader lays them out, with values of every size. */
    private static Dataset random(Random random, int rows, int features, double density) {
        float[] values = new float[rows * features];
        double[] labels = new double[rows];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextDouble() < density ? anyFloat(random) : 0f;
        }
        for (int i = 0; i < rows; i++) {
            labels[i] = random.nextBoolean() ? random.nextInt(9) - 4 : random.nextGaussian();
        }
        Dataset dense = Dataset.dense(features, values, labels);
        return dense.laidOut(Dataset.densePays(dense.nonZeros(), rows, features));
    }

    private static float anyFloat(Random random) {
        float value = random.nextBoolean() ? (float) random.nextGaussian() : Float.intBitsToFloat(random.nextInt());
        return Float.isFinite(value) ? value : 1f;
    }

    @Test
    void theShortestFormReadsBackAndNoShorterOneDoes() {
        Random random = new Random(12);
        for (int i = 0; i < 20_000; i++) {
            double value = Math.abs(i % 2 == 0 ? anyFloat(random) : random.nextGaussian());
            StringBuilder text = new StringBuilder();
            ShortestDecimal.append(text, value);
            BigDecimal printed = new BigDecimal(text.toString());
            assertThat(printed.doubleValue()).isEqualTo(value);
            int digits =
                    printed.signum() == 0 ? 1 : printed.stripTrailingZeros().precision();
            if (digits > 1) {
                BigDecimal shorter = new BigDecimal(value).round(new MathContext(digits - 1));
                assertThat(shorter.doubleValue()).as("%s", text).isNotEqualTo(value);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                0.1,
                1e-5,
                1e-7,
                9.999999999999999e22,
                123456789012345680.0,
                2e-3,
                4.9e-324,
                1.7976931348623157e308,
                0.30000000000000004,
                1e15,
                999999999999999.0,
                1e-6,
                0.001,
                9.5e-7,
                2.0E-3,
                0.1f,
                1.0E10,
                12345678901.5
            })
    void theShortestFormOfADoubleReadsBack(double value) {
        StringBuilder text = new StringBuilder();
        ShortestDecimal.append(text, value);
        assertThat(Double.parseDouble(text.toString())).isEqualTo(value);
    }

    @Test
    void theShortestFormOfRandomDoublesReadsBack() {
        Random random = new Random(13);
        for (int i = 0; i < 20_000; i++) {
            double any = Double.longBitsToDouble(random.nextLong());
            double value = i % 2 == 0 && Double.isFinite(any) ? any : random.nextGaussian() * 1000;
            StringBuilder text = new StringBuilder();
            ShortestDecimal.append(text, value);
            assertThat(Double.parseDouble(text.toString())).isEqualTo(value);
        }
    }

    @Test
    void aFailedWriteLeavesThePreviousFileAndNothingElse(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("model");
        Files.writeString(file, "old");
        assertThatThrownBy(() -> AtomicFiles.write(file, out -> {
                    out.write(new byte[100_000]);
                    throw new IOException("no space left");
                }))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage(file + " cannot be written: no space left");
        assertThat(Files.readString(file)).isEqualTo("old");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aWriteReplacesThePreviousFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("model");
        Files.writeString(file, "old");
        AtomicFiles.write(file, out -> out.write('n'));
        assertThat(Files.readString(file)).isEqualTo("n");
    }

    @Test
    void refusesAFolderThatDoesNotExist(@TempDir Path folder) {
        Path file = folder.resolve("none").resolve("model");
        assertThatThrownBy(() -> AtomicFiles.write(file, out -> {}))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage(file + " cannot be written: the folder " + folder.resolve("none")
                        + " does not exist; create it first");
    }

    @Test
    void refusesADirectoryForAFile(@TempDir Path folder) {
        assertThatThrownBy(() -> AtomicFiles.write(folder, out -> {}))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage(folder + " is a directory; give the name of a file to write");
    }
}
