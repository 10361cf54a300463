package dev.starling.cli.train;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.cli.page.LineChart;
import dev.starling.data.InvalidInputException;
import dev.starling.model.CrossValidation;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Options for choosing lambda by cross-validation. */
@Under(Section.CHOOSING_LAMBDA)
final class CvOptions {

    static final String CV = "--cv";
    private static final String GROUPS = "--cv-groups";
    private static final String SVG = "--svg";

    @Option(names = CV)
    private String cv;

    @Option(
            names = GROUPS,
            paramLabel = "COLUMN",
            description = "With --cv, keep rows with the same value in this column in the same fold; the column is not"
                    + " learnt from.")
    private String groups;

    @Option(names = "--cv-rule")
    private String rule;

    @Under(Section.OUTPUT)
    @Option(
            names = SVG,
            paramLabel = "OUT",
            description = "With --cv, write an SVG picture of the loss on held-out rows.")
    private Path svg;

    /** The columns in the settings of the model given with {@code --like}. */
    private String columns = "";

    /** Takes the columns of an earlier run. */
    void columnsOf(Settings settings) {
        columns = settings.toMap().get("cv-columns");
    }

    boolean isPresent() {
        return !cv.isBlank();
    }

    /**
     * Returns the columns that decide the fold of a row; empty if the whole row does.
     *
     * @param ids the columns that identify rows
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

    /** Refuses, before anything is read, a picture that could not be written at the end. */
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
        return trainer.crossValidation(Setting.CV.parse(cv).by(columns(ids)).rule(Setting.CV_RULE.parse(rule)));
    }

    /** Remarks on a path that may have ended too early, and writes the picture if one was asked for. */
    void finish(Fit fit, CrossValidation validation, Consumer<String> remarks) {
        List<CrossValidation.Line> lines = validation.lines();
        int next = validation.best() + 1;
        // Where a run was interrupted, smaller ones were asked for and not solved, which is said elsewhere.
        boolean isUnfinished = next == lines.size() && fit.outcome() == Fit.Outcome.STOPPED;
        boolean isLast = next == lines.size()
                ? !isUnfinished
                : lines.get(next).lambda() > lines.get(validation.best()).lambda();
        if (isLast) {
            remarks.accept("the smallest lambda of the path has the smallest loss; smaller ones may be better still, so"
                    + " list them with --lambda-path");
        }
        boolean isFirst = validation.best() == 0
                || lines.get(validation.best() - 1).lambda()
                        < lines.get(validation.best()).lambda();
        if (isFirst && !isUnfinished) {
            remarks.accept("the largest lambda of the path has the smallest loss: perhaps the features tell nothing, or"
                    + " larger ones are better still, so list them with --lambda-path");
        }
        if (svg != null) {
            LineChart chart = ValidationPicture.chart(fit.model(), validation);
            Outputs.write(() -> chart.write(svg));
        }
    }
}
