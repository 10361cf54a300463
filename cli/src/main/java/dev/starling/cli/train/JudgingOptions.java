package dev.starling.cli.train;

import dev.starling.cli.evaluate.Judgement;
import dev.starling.cli.evaluate.LabelledRows;
import dev.starling.cli.options.DataOptions;
import dev.starling.data.InvalidInputException;
import dev.starling.job.Settings;
import dev.starling.model.LinearModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** Which rows a model is judged by once it is trained. */
final class JudgingOptions {

    @Option(
            names = "--test",
            paramLabel = "FILE",
            description = "Once the model is trained, say how good it is on the rows of this file.")
    private Path test;

    @Option(
            names = "--holdout",
            paramLabel = "PART",
            defaultValue = "0",
            description =
                    "Keep a part of the rows from training, 0.2 for a fifth, and say how good the model is on them."
                            + " What a row says and the seed decide which.")
    private double holdout;

    /** Takes from the settings of an earlier run what the options leave open. */
    void like(Settings settings, Predicate<String> isGiven) {
        holdout = isGiven.test("--holdout") ? holdout : settings.holdout();
    }

    /** The part of rows to keep from training. */
    double holdout() {
        return holdout;
    }

    /** The file to judge by, if there is one. */
    Optional<Path> file() {
        return Optional.ofNullable(test);
    }

    /** Refuses, before anything is trained, a file that is not there. */
    void check() {
        if (test != null && !Files.isReadable(test)) {
            throw new InvalidInputException("--test " + test + " does not exist, or may not be read");
        }
    }

    /** How good a model is on the rows of the file. */
    Optional<Judgement> judge(LinearModel model, DataOptions data, Consumer<String> remark) {
        return file().map(file -> new Judgement(
                model, LabelledRows.read(data, model, file, remark).judge(model)));
    }
}
