package dev.starling.cli.train;

import dev.starling.Trainer;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.page.LineChart;
import dev.starling.data.InvalidInputException;
import dev.starling.job.Folds;
import dev.starling.job.Settings;
import dev.starling.model.CrossValidation;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** Options for choosing lambda by cross-validation. */
final class CvOptions {

    static final String CV = "--cv";
    private static final String GROUPS = "--cv-groups";
    private static final String RULE = "--cv-rule";
    private static final String SVG = "--svg";

    @Option(
            names = CV,
            paramLabel = "K",
            defaultValue = "",
            description = "Choose lambda by K-fold cross-validation, from those of --lambda-path (default: 50): each is"
                    + " trained without each fold and judged by it. The model is that of the chosen lambda, trained on"
                    + " all rows. A hash of the row, or of its --id-column, decides on its fold; with 'sites' a fold is"
                    + " what one node has.")
    private String cv;

    @Option(
            names = GROUPS,
            paramLabel = "COLUMN",
            description = "With --cv, a column that is not learnt from: rows with the same cell are in the same fold.")
    private String groups;

    @Option(
            names = RULE,
            paramLabel = "RULE",
            defaultValue = "min",
            completionCandidates = Rules.class,
            description = "With --cv, which lambda to take: min (default), that of the smallest mean loss, or 1se, the"
                    + " largest one within a standard error of it.")
    private String rule;

    @Option(
            names = SVG,
            paramLabel = "OUT",
            description = "With --cv, write a picture of the loss of rows that models were trained without.")
    private Path svg;

    /** What a shell offers as the rule. */
    static final class Rules implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Folds.Rule.names().iterator();
        }
    }

    /** The columns after {@code --like}, as settings have them. */
    private String columns = "";

    /** Takes from the settings of an earlier run what the options leave open. */
    void like(Settings settings, Predicate<String> isGiven) {
        if (!isGiven.test(CV)) {
            cv = settings.toMap().get("cv");
            columns = settings.toMap().get("cv-columns");
            rule = isGiven.test(RULE) ? rule : settings.toMap().get("cv-rule");
        }
    }

    boolean isPresent() {
        return !cv.isBlank();
    }

    /**
     * The columns that decide on a row's fold; none where all that it says does.
     *
     * @param ids those that tell rows apart
     */
    List<String> columns(List<String> ids) {
        if (groups != null) {
            return List.of(groups);
        }
        if (!columns.isBlank()) {
            return List.of(columns.split(","));
        }
        return isPresent() && !cv.equals("sites") ? ids : List.of();
    }

    /** Refuses, before anything is read, what could not be written at the end. */
    void check(List<Path> inputs, Optional<Path> model) {
        if (svg != null && !isPresent()) {
            throw new InvalidInputException(SVG + " " + svg + " is a picture of cross-validation; give " + CV + " too");
        }
        if (svg != null) {
            Outputs.requireWritable(svg, inputs);
            Outputs.requireDifferent("--model", model, SVG, Optional.of(svg));
        }
    }

    Trainer apply(Trainer trainer, List<String> ids) {
        if (groups != null && !isPresent()) {
            throw new InvalidInputException(GROUPS + " " + groups + " is for cross-validation; give " + CV + " too");
        }
        return trainer.crossValidation(Folds.of(cv, String.join(",", columns(ids)), rule));
    }

    /** Remarks on a path that may have ended too soon, and writes the picture, if one is wanted. */
    void finish(CrossValidation validation, Consumer<String> remarks) {
        List<CrossValidation.Line> lines = validation.lines();
        int next = validation.best() + 1;
        if (next == lines.size()
                || lines.get(next).lambda() > lines.get(validation.best()).lambda()) {
            remarks.accept("the smallest lambda of the path has the smallest loss; smaller ones may do better still, if"
                    + " --lambda-path lists them");
        }
        if (svg != null) {
            LineChart chart = ValidationPicture.chart(validation);
            Outputs.write(() -> chart.write(svg));
        }
    }
}
