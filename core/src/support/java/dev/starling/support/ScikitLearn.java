package dev.starling.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Scripts that use scikit-learn; where it is not installed, tests that need them are skipped. */
public final class ScikitLearn {

    /** The one that Debian installs packages for. */
    private static final String PYTHON = "/usr/bin/python3";

    private static Boolean installed;

    private ScikitLearn() {}

    /** Runs a script that is a resource beside a class, and returns the lines that it prints. */
    public static List<String> run(Class<?> beside, String name, Path folder, Object... arguments)
            throws IOException, InterruptedException {
        assumeTrue(isInstalled(folder), "scikit-learn is not installed (apt-get install python3-sklearn)");
        Path script = folder.resolve(name);
        try (InputStream in = beside.getResourceAsStream(name)) {
            Files.copy(in, script);
        }
        if (python(folder, Stream.concat(Stream.of(script), Stream.of(arguments))) != 0) {
            throw new AssertionError(Files.readString(folder.resolve("err.txt")));
        }
        return Files.readAllLines(folder.resolve("out.txt"));
    }

    /** Python takes a while to look: it is asked once. */
    private static synchronized boolean isInstalled(Path folder) throws IOException, InterruptedException {
        if (installed == null) {
            installed =
                    Files.isExecutable(Path.of(PYTHON)) && python(folder, Stream.of("-c", "import sklearn")) == 0;
        }
        return installed;
    }

    private static int python(Path folder, Stream<?> arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of(PYTHON), arguments.map(String::valueOf))
                        .toList())
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("Python took more than two minutes");
        }
        return process.exitValue();
    }
}
