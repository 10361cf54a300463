package dev.starling.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.export.Onnx;
import dev.starling.export.Pmml;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {

    @TempDir
    private Path folder;

    private Path model;

    @BeforeEach
    void train() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.csv"), "y,g,x\nno,a,2\nyes,b,1\nyes,a,1\nno,b,4\n");
        model = folder.resolve("model.json");
        Cli.ok("train", rows, "--model", model, "--runtime simulator");
    }

    @Test
    void writesBothFormatsAtOnce() throws IOException {
        Path onnx = folder.resolve("model.onnx");
        Path pmml = folder.resolve("model.pmml");
        Cli.ok("export", model, "--onnx", onnx, "--pmml", pmml);
        assertThat(Files.readAllBytes(onnx)).isEqualTo(Onnx.bytes(LinearModel.load(model)));
        assertThat(Files.readString(pmml)).isEqualTo(Pmml.text(LinearModel.load(model)));
    }

    @Test
    void modelsThatCannotBeExportedAreRefused() throws IOException {
        refuses("give --onnx or --pmml with a file to write");
        refuses("give --onnx or --pmml", "--onnx", folder.resolve("x"), "--pmml", folder.resolve("x"));
        refuses("is read by this command and would be overwritten", "--onnx", model);
        refuses("for one lambda only", "--pmml", folder.resolve("x"), "--lambda 1");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(model, folder.resolve("rows.csv"));
        }
    }

    private void refuses(String message, Object... options) {
        Cli refused = Cli.run(Stream.concat(Stream.of("export", model), Arrays.stream(options))
                .toArray());
        assertThat(refused.err()).contains(message);
        assertThat(refused.err().strip().lines()).hasSize(1);
        assertThat(refused.code()).isEqualTo(2);
    }
}
