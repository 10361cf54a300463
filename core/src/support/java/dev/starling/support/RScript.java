package dev.starling.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Scripts that R runs, where it is installed; tests that need it are skipped where it is not. */
public final class RScript {

    private static final int MOST_SECONDS = 60;

    private RScript() {}

    /** Runs a script that is a resource beside a class, with a folder as its only argument. */
    public static void run(Class<?> beside, String name, Path folder) throws IOException, InterruptedException {
        run(beside, name, folder, MOST_SECONDS);
    }

    /** Runs a script that may take longer than most. */
    public static void run(Class<?> beside, String name, Path folder, int seconds)
            throws IOException, InterruptedException {
        assumeInstalled();
        Path script = folder.resolve("script.R");
        try (InputStream in = beside.getResourceAsStream(name)) {
            Files.copy(in, script);
        }
        Process r = new ProcessBuilder("Rscript", script.toString(), folder.toString())
                .inheritIO()
                .start();
        if (!r.waitFor(seconds, TimeUnit.SECONDS)) {
            r.destroyForcibly();
            throw new AssertionError(name + " took more than " + seconds + " s");
        }
        if (r.exitValue() != 0) {
            throw new AssertionError(name + " ended with code " + r.exitValue());
        }
    }

    private static void assumeInstalled() {
        boolean found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "Rscript")));
        assumeTrue(found, "R is not installed (apt-get install r-base-core)");
    }
}
