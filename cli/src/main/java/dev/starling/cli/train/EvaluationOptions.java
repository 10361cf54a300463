package dev.starling.cli.train;

import dev.starling.cli.console.Json;
import dev.starling.cli.evaluate.EvaluationReport;
import dev.starling.cli.evaluate.LabelledRows;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The rows on which a model is evaluated once it is trained. */
@Under(Section.EVALUATION)
final class EvaluationOptions {

    /** From this share of held-out rows on, there may be too few others. */
    private static final double FEW_LEFT = 0.9;

    @Option(
            names = "--test",
            paramLabel = "FILE",
            description = "Report how good the trained model is on the rows of this file.")
    private Path test;

    @Option(names = "--holdout")
    private double holdout;

    @Option(names = "--standard-errors")
    private String standardErrors;

    /** Which standard errors training ends with. */
    StandardErrors standardErrors() {
        return StandardErrors.named(standardErrors);
    }

    /** The fraction of the rows to hold out of training. */
    double holdout() {
        return holdout;
    }

    /** A remark for failures that may be due to too few rows to train on. */
    String remarkOnFewRows() {
        return holdout < FEW_LEFT ? "" : "; --holdout " + Json.text(holdout) + " keeps the others from training";
    }

    /** The file with test rows, if one was given. */
    Optional<Path> file() {
        return Optional.ofNullable(test);
    }

    /** Refuses, before training, a file that cannot be read. */
    void check() {
        if (test != null && !Files.isReadable(test)) {
            throw new InvalidInputException("--test " + test + " does not exist, or may not be read");
        }
    }

    /** Returns how good a model is on the rows of the file. */
    Optional<EvaluationReport> evaluate(LinearModel model, DataOptions data, Consumer<String> remark) {
        return file().map(file -> new EvaluationReport(
                model, LabelledRows.read(data, model, file, remark).evaluate(model)));
    }
}
