package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a user starts it: from another folder, through a link. */
@DisabledOnOs(OS.WINDOWS)
@Tag("thorough")
class LauncherIT {

    private static final Path LAUNCHER =
            Path.of(System.getProperty("starling.root"), "starling").toAbsolutePath();

    @TempDir
    private Path folder;

    private record Outcome(int code, String out, String err) {}

    private Outcome start(Map<String, String> environment, Path launcher, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("STARLING_NO_BUILD", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    @Test
    void startsThroughALinkAndPrintsNothingButTheVersion() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(folder.resolve("linked"), LAUNCHER);
        Outcome outcome = start(Map.of(), link, "--version");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).matches("starling \\S+\n");
        assertThat(outcome.code()).isZero();
    }

    @Test
    void passesArgumentsAndExitCodesThrough() throws IOException, InterruptedException {
        Outcome outcome = start(Map.of(), LAUNCHER, "train", "a file.txt");
        assertThat(outcome.err())
                .isEqualTo("starling: a file.txt does not exist; give the path of a LIBSVM or CSV file\n");
        assertThat(outcome.code()).isEqualTo(2);
    }

    @Test
    void demoRunsInAnEmptyFolder() throws IOException, InterruptedException {
        Outcome outcome = start(Map.of(), LAUNCHER, "demo");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("The models are the same, bit for bit.");
        assertThat(folder.resolve("starling-demo/predictions.txt")).exists();
    }

    /** As it lies in the zip of a release: jars beside the launcher, and neither sources nor Maven. */
    @Test
    void startsFromAnUnpackedRelease() throws IOException, InterruptedException {
        Path release = Files.createDirectory(folder.resolve("release"));
        Path target = LAUNCHER.resolveSibling("cli/target");
        Path launcher = Files.copy(LAUNCHER, release.resolve("starling"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(target.resolve("starling.jar"), release.resolve("starling.jar"));
        Files.createSymbolicLink(release.resolve("lib"), target.resolve("lib"));
        Outcome outcome = start(Map.of("STARLING_NO_BUILD", ""), launcher, "train", "nothing.txt");
        assertThat(outcome.err())
                .isEqualTo("starling: nothing.txt does not exist; give the path of a LIBSVM or CSV file\n");
        assertThat(outcome.code()).isEqualTo(2);
        outcome = start(Map.of("JAVA_HOME", "/nowhere"), launcher, "--version");
        assertThat(outcome.err())
                .isEqualTo("starling: JAVA_HOME is /nowhere, which has no bin/java; set it to Java 17 or later\n");
    }

    /** Reading classes from jars, and checking them, takes longer than training on a few hundred rows does. */
    @Test
    void classesComeFromTheArchive() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("sparse.txt"), "1 1:1\n-1 2:1 7:3\n1 1:3\n-1 9:2\n");
        Path loaded = folder.resolve("loaded");
        Outcome outcome = start(
                Map.of("STARLING_JAVA_OPTS", "-Xlog:class+load:file=" + loaded),
                LAUNCHER,
                "train",
                "sparse.txt",
                "--nodes",
                "2");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(Files.readAllLines(loaded))
                .anyMatch(line -> line.contains("dev.starling.Trainer source: shared objects file"))
                .noneMatch(line -> line.contains("source: file:"));
    }

    @Test
    void aJavaHomeWithoutJavaIsReported() throws IOException, InterruptedException {
        Outcome outcome = start(Map.of("JAVA_HOME", "/nowhere"), LAUNCHER, "--version");
        assertThat(outcome.err())
                .isEqualTo("starling: JAVA_HOME is /nowhere, which has no bin/java; set it to a JDK 17 or later\n");
        assertThat(outcome.code()).isEqualTo(1);
    }

    @Test
    void tooLittleMemoryIsReportedInOneLine() throws IOException, InterruptedException {
        Outcome outcome = start(
                Map.of("STARLING_JAVA_OPTS", "-Xmx24m"),
                LAUNCHER,
                "generate",
                "-",
                "--rows",
                "200000",
                "--features",
                "100");
        assertThat(outcome.err()).startsWith("starling: not enough memory: ").hasLineCount(1);
        assertThat(outcome.code()).isEqualTo(1);
    }
}
