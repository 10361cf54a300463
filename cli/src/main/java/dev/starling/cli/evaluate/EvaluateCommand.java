package dev.starling.cli.evaluate;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.console.TextTable;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.ModelChoice;
import dev.starling.cli.options.Remarks;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.Under;
import dev.starling.cli.page.HtmlPage;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Cox;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.statistics.Concordance;
import dev.starling.table.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures how good a model is on rows with known labels. */
@Command(
        name = "evaluate",
        description = {
            "Measures how good a model is on rows with labels.",
            "Classes: accuracy, AUC with a confidence interval, log loss, Brier score, precision, recall, F1 and the"
                    + " confusion matrix. Numbers: RMSE, MAE, R2 and the model's own loss. Times: concordance.",
            "Columns of a CSV file are matched by name with those the model was trained on. Several files are evaluated"
                    + " together and each on its own. Without a file, prints the evaluation that the model file holds"
                    + " from training.",
            "Several models are compared on the same rows: differences with 95%% intervals, and whether they are more"
                    + " than chance. Without a file, models with the same folds of cross-validation are compared by"
                    + " these."
        },
        footer = {
            "",
            "Examples:",
            "  starling evaluate model.json a9a.t.gz",
            "  starling evaluate model.json people.csv --page people.html",
            "  starling evaluate model.json lyon.csv nice.csv --json",
            "  starling evaluate small.json large.json people.csv --by sex",
            "  starling evaluate model.json people.csv --threshold 0.3",
            "  starling evaluate model.json",
            "",
            "Exit codes: 0 done, 2 bad input, such as a label that the model does not know."
        })
public final class EvaluateCommand extends ConsoleCommand {

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "DATA",
            description = "More model files, to compare; then rows. " + DataOptions.ROWS)
    private List<Path> files = List.of();

    @Mixin
    private ModelChoice model;

    @Mixin
    private SourceOptions data;

    @Option(
            names = "--threshold",
            paramLabel = "P",
            description = "Predict the second of two classes where its probability is above P; without probabilities,"
                    + " where the score is (default: the more probable class).")
    private Double threshold;

    @Option(
            names = "--held-out",
            description =
                    "Evaluate only on the rows of the training data that the models held out ('train --holdout').")
    private boolean heldOut;

    @Option(
            names = "--by",
            paramLabel = "COLUMN",
            description = "Also evaluate each group of rows with the same value in this column.")
    private String by;

    @Option(names = "--weights", paramLabel = "FILE", description = "File with the weights of the rows, one per line.")
    private Path weights;

    @Under(Section.OUTPUT)
    @Option(names = "--page", paramLabel = "OUT", description = "Write a self-contained HTML page with curves.")
    private Path page;

    @Mixin
    private JsonOption json;

    @Mixin
    private Remarks remarks;

    @Override
    public Integer call() {
        List<Path> models = new ArrayList<>(List.of(model.file()));
        files.stream().takeWhile(LinearModel::isModel).forEach(models::add);
        List<Path> rows = files.subList(models.size() - 1, files.size());
        Path first = rows.isEmpty() ? null : rows.get(0);
        List<LinearModel> loaded = models.stream().map(model::load).toList();
        if (loaded.stream().anyMatch(EvaluateCommand::isOfTimes)) {
            return ofTimes(models, loaded, rows);
        }
        Panel panel =
                Panel.of(models, loaded, threshold == null ? OptionalDouble.empty() : OptionalDouble.of(threshold));
        if (data.isNone(first) && page == null && weights == null && by == null && threshold == null && !heldOut) {
            return showKept(panel);
        }
        data.check(first);
        if (weights != null && rows.size() > 1) {
            throw new InvalidInputException("--weights " + weights + " belongs to one file, but there are "
                    + rows.size() + "; put the weights into a column of each");
        }
        if (page != null) {
            Outputs.requireWritable(page, inputs());
        }
        // Without a file, rows come from a database.
        List<LabelledRows> read = (rows.isEmpty() ? Stream.<Path>of((Path) null) : rows.stream())
                .map(file -> LabelledRows.read(data, panel.models(), file, Optional.ofNullable(by), remarks::say)
                        .weighted(Optional.ofNullable(weights)))
                .toList();
        if (!heldOut) {
            panel.remarkOnTrainingRows(read, remarks::say);
        }
        List<LabelledRows> places = heldOut ? panel.heldOut(read) : read;
        Judgement judgement = Judgement.of(panel, places);
        if (page != null) {
            String text = HtmlPage.filled(EvaluateCommand.class, "evaluate.html", judgement::writePage);
            Outputs.write(page, text);
        }
        PrintWriter out = out();
        if (json.isGiven()) {
            Json.print(out, judgement::write);
        } else {
            judgement.print(out);
        }
        return Main.DONE;
    }

    private static boolean isOfTimes(LinearModel model) {
        return Losses.find(model.loss()).filter(loss -> loss instanceof Cox).isPresent();
    }

    /** Cox's models say in which order events come, not when: how often that is right is their concordance. */
    private int ofTimes(List<Path> names, List<LinearModel> models, List<Path> rows) {
        if (rows.isEmpty() || page != null || weights != null || by != null || threshold != null || heldOut) {
            throw new InvalidInputException(
                    "a model with the loss cox is evaluated by its concordance on files of rows;"
                            + " give one or more, without --page, --weights, --by, --threshold and --held-out");
        }
        List<List<String>> lines = new ArrayList<>(List.of(List.of("model", "data", "concordance", "pairs")));
        List<Concordance> found = new ArrayList<>();
        for (Path file : rows) {
            Table table = data.readTable(file);
            for (int k = 0; k < models.size(); k++) {
                if (!isOfTimes(models.get(k))) {
                    throw new InvalidInputException(names.get(k) + " has the loss "
                            + models.get(k).loss() + ", which is not compared with cox; evaluate it on its own");
                }
                Concordance one = Concordance.of(models.get(k), table);
                found.add(one);
                lines.add(List.of(
                        names.get(k).toString(),
                        data.source(file),
                        String.format(Locale.US, "%.6g", one.value()),
                        Json.text(one.concordant() + one.discordant() + one.tied())));
            }
        }
        if (json.isGiven()) {
            Json.print(
                    out(),
                    generator -> generator.objects("concordance", found.size(), (one, k) -> {
                        one.with("model", lines.get(k + 1).get(0));
                        one.with("data", lines.get(k + 1).get(1));
                        one.with("value", found.get(k).value());
                        one.with("concordant", found.get(k).concordant());
                        one.with("discordant", found.get(k).discordant());
                        one.with("tied", found.get(k).tied());
                    }));
        } else {
            new TextTable(lines).print(out());
        }
        return Main.DONE;
    }

    private int showKept(Panel panel) {
        StoredEvaluations kept = StoredEvaluations.of(panel);
        PrintWriter out = out();
        if (json.isGiven()) {
            Json.print(out, kept::write);
        } else {
            kept.print(out);
        }
        return Main.DONE;
    }
}
