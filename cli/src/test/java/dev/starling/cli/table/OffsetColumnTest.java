package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetColumnTest {

    @TempDir
    private Path folder;

    /** Rows with an offset, all of which are so much larger. */
    private Path rows(String name, double more) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder text = new StringBuilder("y,x,g,o\n");
        for (int i = 0; i < 200; i++) {
            double x = random.nextDouble();
            double o = 2 * random.nextDouble() - 1;
            String y = random.nextDouble() < 1 / (1 + Math.exp(-x - o)) ? "1" : "0";
            text.append(String.format(Locale.ROOT, "%s,%.3f,%s,%.6f%n", y, x, i % 3 == 0 ? "a" : "b", o + more));
        }
        return Files.writeString(folder.resolve(name), text);
    }

    private Path trained(Path rows, Object... options) {
        Path model = folder.resolve("model.json");
        Object[] first = {"train", rows, "--offset-column", "o", "--model", model, "--runtime", "simulator"};
        Cli.ok(Stream.concat(Arrays.stream(first), Arrays.stream(options)).toArray());
        return model;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--lambda 1e-3",
                "--lambda 1e-3 --standardize",
                "--lambda 1e-3 --no-intercept",
                "--lambda 0",
                "--lambda 1e-3 --l1 1e-2 --no-intercept",
                "--loss squared --standardize --lambda 1e-3",
                "--loss squared --lambda 0",
                "--loss huber --lambda 1e-3"
            })
    void verifyUsesOffsets(String options) throws IOException {
        Path rows = rows("rows.csv", 0);
        Path model = trained(rows, (Object[]) options.split(" "));
        Cli verdict = Cli.run("verify", model, rows);
        assertThat(verdict.out()).contains("the certificate holds");
        assertThat(verdict.code()).isZero();
        Cli.ended(1, "verify", model, rows("others.csv", 0.5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "squared"})
    void predictAddsOffsets(String loss) throws IOException {
        Path rows = rows("rows.csv", 0);
        Path model = trained(rows, "--loss", loss);
        List<String> scores = scores(model, rows);
        List<String> more = scores(model, rows("others.csv", 0.5));
        assertThat(scores).hasSize(200);
        for (int i = 0; i < 200; i++) {
            assertThat(Double.parseDouble(more.get(i)) - Double.parseDouble(scores.get(i)))
                    .isCloseTo(0.5, within(1e-5));
        }
    }

    private static List<String> scores(Path model, Path rows) {
        Cli predicted = Cli.ok("predict", model, rows, "--scores");
        return predicted.out().lines().skip(1).map(line -> line.split(" ")[1]).toList();
    }

    @Test
    void predictNeedsTheOffsetColumn() throws IOException {
        Path model = trained(rows("rows.csv", 0));
        Path without = Files.writeString(folder.resolve("without.csv"), "x,g\n0.5,a\n");
        Cli refused = Cli.ended(2, "predict", model, without);
        assertThat(refused.err()).contains("has no column 'o'");
        assertThat(Files.readString(model)).contains("\"offset\":\"o\"");
    }

    @Test
    void aRecipeMayNameTheOffsetColumn() throws IOException {
        Path rows = rows("rows.csv", 0);
        Path recipe = folder.resolve("recipe.yaml");
        Cli.ok("describe", rows, "--offset-column o --recipe", recipe);
        Path model = folder.resolve("again.json");
        Cli.ok("train", rows, "--recipe", recipe, "--model", model, "--runtime simulator");
        assertThat(Files.readString(model)).isEqualTo(Files.readString(trained(rows)));
    }
}
