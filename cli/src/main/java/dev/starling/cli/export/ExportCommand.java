package dev.starling.cli.export;

import dev.starling.cli.Main;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.ModelChoice;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.export.Onnx;
import dev.starling.export.Pmml;
import dev.starling.model.LinearModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a model in formats that other programs read. */
@Command(
        name = "export",
        description = {
            "Writes a model as ONNX or PMML, for other programs to predict with.",
            "The file contains everything that turns raw columns into features: missing values, categories, formulas."
        },
        footer = {
            "",
            "Examples:",
            "  starling export model.json --onnx model.onnx",
            "  starling export model.json --pmml model.pmml"
        })
public final class ExportCommand implements Callable<Integer> {

    @Option(names = "--onnx", paramLabel = "OUT", description = "Write ONNX, for ONNX Runtime and other programs.")
    private Path onnx;

    @Option(names = "--pmml", paramLabel = "OUT", description = "Write PMML 4.4.")
    private Path pmml;

    @Mixin
    private ModelChoice model;

    @Override
    public Integer call() {
        Map<Path, Function<LinearModel, byte[]>> wanted = new LinkedHashMap<>();
        if (onnx != null) {
            wanted.put(onnx, Onnx::bytes);
        }
        if (pmml != null) {
            wanted.put(pmml, chosen -> Pmml.text(chosen).getBytes(StandardCharsets.UTF_8));
        }
        if (wanted.isEmpty() || (onnx != null && onnx.equals(pmml))) {
            throw new InvalidInputException("give --onnx or --pmml with a file to write, or both with one each");
        }
        wanted.keySet().forEach(out -> Outputs.requireWritable(out, List.of(model.file())));
        LinearModel chosen = model.load();
        Map<Path, byte[]> contents = new LinkedHashMap<>();
        wanted.forEach((out, writing) -> contents.put(out, written(chosen, writing)));
        contents.forEach(
                (out, content) -> Outputs.write(() -> AtomicFiles.write(out, stream -> stream.write(content))));
        return Main.DONE;
    }

    private byte[] written(LinearModel chosen, Function<LinearModel, byte[]> writing) {
        try {
            return writing.apply(chosen);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(model.file() + ": " + e.getMessage(), e);
        }
    }
}
