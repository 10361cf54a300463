package dev.starling.cli.train;

import dev.starling.cli.evaluate.EvaluationReport;
import dev.starling.cli.evaluate.LabelledRows;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** The rows on which a model is evaluated once it is trained. */
@Under(Section.EVALUATION)
final class EvaluationOptions {

    @Option(
            names = "--test",
            paramLabel = "FILE",
            description = "Report how good the trained model is on the rows of this file.")
    private Path test;

    @Option(names = "--holdout")
    private double holdout;

    /** Fills in what the options leave open from the settings of an earlier run. */
    void like(Settings settings, Predicate<String> isGiven) {
        holdout = isGiven.test("--holdout") ? holdout : settings.holdout();
    }

    /** The fraction of the rows to hold out of training. */
    double holdout() {
        return holdout;
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
