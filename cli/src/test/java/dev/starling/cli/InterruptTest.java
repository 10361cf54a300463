package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C and SIGTERM, sent to a process of its own. */
@DisabledOnOs(OS.WINDOWS)
class InterruptTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void theBestCertifiedModelSoFarIsWritten(String signal) throws IOException, InterruptedException {
        assertThat(interrupted(signal, "--method adfs --gap 1e-14 --lambda 1e-12 --max-epochs 1e12 --nodes 2"))
                .matches("model written to .*\nstarling: gap \\S+ reached, not the 1e-14 asked for: interrupted\n");
        assertThat(LinearModel.load(model()).provenance().certificate().relativeGap())
                .isFinite();
    }

    @Test
    void aCrossValidationChoosesAmongWhatItHasAndSaysHowMuchIsMissing() throws IOException, InterruptedException {
        assertThat(interrupted("INT", "--lambda-path 1000 --cv 10"))
                .matches("model written to .*\nstarling: [1-9]\\d{0,2} of 1000 values of lambda were solved:"
                        + " interrupted\n");
        LinearModel model = LinearModel.load(model());
        assertThat(model.path()).hasSizeBetween(1, 999);
        assertThat(model.provenance().certificate().relativeGap()).isLessThanOrEqualTo(1e-6);
    }

    private Path model() {
        return folder.resolve("model.json");
    }

    /** Trains in a process of its own, sends it a signal in the middle, and returns what it says on stderr. */
    private String interrupted(String signal, String options) throws IOException, InterruptedException {
        Signals.assumeInterruptsArrive();
        Path data = folder.resolve("data.txt");
        Path errors = folder.resolve("err.txt");
        Cli.run("generate", data, "--rows 2000 --conditioning 1e4");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.starling.cli.Main",
                "train",
                data.toString(),
                "--explain",
                "--max-seconds",
                "60",
                "--model",
                model().toString()));
        Collections.addAll(command, options.split(" "));
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            // The explanation is printed right before training begins.
            for (String line = out.readLine(); line != null && !line.startsWith("prediction"); ) {
                line = out.readLine();
            }
            Thread.sleep(1000);
            assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(1);
        return Files.readString(errors);
    }
}
