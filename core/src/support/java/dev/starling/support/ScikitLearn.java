package dev.starling.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Scripts that use scikit-learn; where it is not installed, tests that need them are skipped. */
final class ScikitLearn {

    /** The one that Debian installs packages for. */
    private static final String PYTHON = "/usr/bin/python3";

    private static Boolean installed;

    private ScikitLearn() {}

    /** Runs a script beside this class on a file, and returns the file that it wrote. */
    static Path run(String script, Path folder, Path source) throws IOException, InterruptedException {
        assumeTrue(isInstalled(), "scikit-learn is not installed (apt-get install python3-sklearn)");
        Path copy = folder.resolve(script);
        try (InputStream in = ScikitLearn.class.getResourceAsStream(script)) {
            Files.copy(in, copy);
        }
        Path target = folder.resolve("result.txt");
        assertThat(python(copy.toString(), source.toString(), target.toString()))
                .isZero();
        return target;
    }

    /** Python takes a while to look: it is asked once. */
    private static synchronized boolean isInstalled() throws IOException, InterruptedException {
        if (installed == null) {
            installed = Files.isExecutable(Path.of(PYTHON)) && python("-c", "import sklearn") == 0;
        }
        return installed;
    }

    private static int python(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(Stream.of(PYTHON), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return process.exitValue();
    }
}
