package dev.starling.cli.train;

import dev.starling.cli.console.Outputs;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.cli.show.Question;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.model.ModelFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;

/** Where the model is written, and in which format. */
@Under(Section.OUTPUT)
final class ModelOptions {

    @Option(
            names = "--model",
            paramLabel = "OUT",
            defaultValue = "model.json",
            description = "Where to write the model (default: ${DEFAULT-VALUE}).")
    private Path model;

    @Option(
            names = "--model-format",
            paramLabel = "MODEL-FORMAT",
            completionCandidates = Formats.class,
            description = "Format of the model file: json or liblinear (default: json, or liblinear if the name ends in"
                    + " .txt or .model).")
    private String modelFormat;

    @Option(names = "--no-model", description = "Do not write a model.")
    private boolean noModel;

    /** Completion candidates for the format. */
    static final class Formats implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ModelFormat.all().stream().map(ModelFormat::name).iterator();
        }
    }

    /** The file to write; none if no model is wanted. */
    Optional<Path> target() {
        return noModel ? Optional.empty() : Optional.of(model);
    }

    /** Whether the file can hold a model that tells several classes apart at once. */
    boolean holdsAllClasses() {
        return noModel || !format().name().equals("liblinear");
    }

    /** Refuses, before anything is read, a file that could not be written at the end. */
    void check(List<Path> inputs) {
        format();
        target().ifPresent(path -> Outputs.requireWritable(path, inputs));
    }

    /** Says which model the one to be written replaces, if there is one. */
    Optional<String> replaced() {
        return target().filter(Files::isRegularFile).map(path -> {
            try {
                return path + " was a model already, " + new Question(LinearModel.load(path)).sentence()
                        + "; it is replaced";
            } catch (InvalidInputException e) {
                return path + " was a file already; it is replaced";
            }
        });
    }

    /** Writes the model; if that fails, saves it as a temporary file, because it may have taken hours to train. */
    void write(LinearModel content) {
        try {
            content.save(model, format());
        } catch (InvalidInputException e) {
            throw new RunFailure(e.getMessage() + "; " + keep(content), e);
        }
    }

    /** Saves the model as a temporary file, and returns a message that says where it is. */
    private String keep(LinearModel content) {
        Path kept = Path.of(
                System.getProperty("java.io.tmpdir"),
                "starling-" + UUID.randomUUID() + format().extensions().get(0));
        try {
            content.save(kept, format());
            return "the model is in " + kept + " instead";
        } catch (InvalidInputException e) {
            return "the model is lost, because " + e.getMessage();
        }
    }

    private ModelFormat format() {
        return modelFormat == null ? ModelFormat.of(model) : ModelFormat.named(modelFormat);
    }
}
