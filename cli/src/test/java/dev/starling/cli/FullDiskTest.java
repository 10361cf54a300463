package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.console.StandardOutput;
import dev.starling.model.LinearModel;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What cannot be written is not passed over in silence. */
class FullDiskTest {

    @TempDir
    private Path folder;

    private Path rows;

    @BeforeEach
    void writeRowsAndAModel() {
        rows = Cli.file(folder, "rows.txt", "1 1:0.5", "-1 1:1", "1 2:0.3", "-1 2:-1");
        Cli.ok("train", rows, "--nodes 1 --model", folder.resolve("m.json"));
    }

    @ParameterizedTest
    @EnabledOnOs(OS.LINUX)
    @ValueSource(
            strings = {
                "predict FOLDER/m.json FOLDER/rows.txt -q",
                "train FOLDER/rows.txt --nodes 1 --json --no-model",
                "train FOLDER/rows.txt --nodes 1 --no-model",
                "generate -",
                "topology ring",
                "plan FOLDER/rows.txt --nodes 2",
                "completion",
                "train --help",
                "--version"
            })
    void standardOutputOnAFullDiskIsAFailure(String arguments) throws IOException {
        StringWriter err = new StringWriter();
        int code;
        try (OutputStream full = new FileOutputStream("/dev/full")) {
            code = Main.run(
                    new StandardOutput(full),
                    new PrintWriter(err, true),
                    arguments.replace("FOLDER", folder.toString()).split(" "));
        }
        assertThat(err).hasToString("starling: standard output cannot be written: No space left on device\n");
        assertThat(code).isEqualTo(1);
    }

    @ParameterizedTest
    @EnabledOnOs(OS.LINUX)
    @ValueSource(
            strings = {
                "predict FOLDER/m.json FOLDER/rows.txt --output /dev/full",
                "generate /dev/full",
                "plan FOLDER/rows.txt --svg /dev/full",
                "compare FOLDER/rows.txt --nodes 2 --algorithms adfs -q --svg /dev/full"
            })
    void filesOnAFullDiskAreAFailure(String arguments) {
        Cli result = Cli.run(
                (Object[]) arguments.replace("FOLDER", folder.toString()).split(" "));
        assertThat(result.err()).isEqualTo("starling: /dev/full cannot be written: No space left on device\n");
        assertThat(result.code()).isEqualTo(1);
    }

    /** A site's register and ledger are written by the library, whose exceptions name the file. */
    @Test
    void whatTheLibraryCannotWriteIsNamedToo() {
        String full = "cannot be written: No space left on device";
        FileSystemException write = new FileSystemException("register-a/snapshot.new", null, full);
        assertThat(said(write)).isEqualTo("1 starling: register-a/snapshot.new " + full + "\n");
        assertThat(said(new NoSuchFileException("opening-b"))).isEqualTo("2 starling: opening-b does not exist\n");
        assertThat(said(new AccessDeniedException("opening-b")))
                .isEqualTo("2 starling: opening-b: permission denied\n");
    }

    private static String said(Exception failure) {
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new Any()).setErr(new PrintWriter(err, true));
        return new Failures(() -> false).handleExecutionException(failure, command, null) + " " + err;
    }

    @Command(name = "starling")
    private static final class Any {}

    @Test
    void aClosedPipeIsNotAFailure() {
        StringWriter err = new StringWriter();
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        assertThat(Main.run(new StandardOutput(closed), new PrintWriter(err, true), "topology", "ring"))
                .isZero();
        assertThat(err).hasToString("");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aModelThatDoesNotFitOnTheDiskIsSavedElsewhere() throws IOException {
        Cli result = Cli.run("train", rows, "--nodes 1 --model /dev/full");
        Matcher line = Pattern.compile("starling: /dev/full cannot be written: No space left on device; the model is in"
                        + " (\\S+) instead\n")
                .matcher(result.err());
        assertThat(line.matches()).as(result.err()).isTrue();
        Path kept = Path.of(line.group(1));
        assertThat(LinearModel.load(kept).hash())
                .isEqualTo(LinearModel.load(folder.resolve("m.json")).hash());
        Files.delete(kept);
        assertThat(result.code()).isEqualTo(1);
    }
}
