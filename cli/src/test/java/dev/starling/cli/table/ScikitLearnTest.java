package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline of scikit-learn that does the same predicts the same; skipped where Debian's package is not installed. */
class ScikitLearnTest {

    private static final String PYTHON = "/usr/bin/python3";

    /** Standardised features are floats here and doubles there. */
    private static final double ROUNDING = 1e-6;

    @TempDir
    private Path folder;

    @Test
    void aPipelineOfScikitLearnPredictsTheSame() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of(PYTHON)) && run("-c", "import sklearn") == 0,
                "scikit-learn is not installed (apt-get install python3-sklearn)");
        Path people = folder.resolve("people.csv");
        Path model = folder.resolve("model.json");
        String lambda = "0.001";
        Cli.ok("generate", people, "--table --rows 2000");
        Cli.ok(
                "train",
                people,
                "--label-column income --missing most-frequent --standardize --lambda",
                lambda,
                "--gap 1e-13 --runtime simulator --model",
                model);
        List<String> ours = Cli.run("predict", model, people, "--probabilities")
                .out()
                .lines()
                .skip(1)
                .toList();

        Path script = folder.resolve("pipeline.py");
        try (InputStream in = ScikitLearnTest.class.getResourceAsStream("pipeline.py")) {
            Files.copy(in, script);
        }
        assertThat(run(script.toString(), people.toString(), lambda))
                .as(Files.readString(folder.resolve("err.txt")))
                .isZero();
        List<String> theirs = Files.readAllLines(folder.resolve("out.txt"));
        assertThat(theirs).hasSize(2000).hasSameSizeAs(ours);
        for (int row = 0; row < theirs.size(); row++) {
            String[] our = ours.get(row).split(" ");
            String[] their = theirs.get(row).split(" ");
            assertThat(Double.parseDouble(our[2])).isCloseTo(Double.parseDouble(their[1]), within(ROUNDING));
            assertThat(our[0]).isEqualTo(their[0]);
        }
    }

    private int run(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(PYTHON);
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("Python took more than two minutes");
        }
        return process.exitValue();
    }
}
