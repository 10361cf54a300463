package dev.starling.cli.train;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.ModelChoice;
import dev.starling.cli.options.Remarks;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.Under;
import dev.starling.cli.train.Predictions.Extras;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.statistics.PredictionIntervals;
import dev.starling.table.Table;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Predicts the labels of rows. */
@Command(
        name = "predict",
        description = {
            "Predicts labels, one per line, in the order of the rows.",
            "Columns of a CSV file are matched by name with those the model was trained on; their order does not"
                    + " matter, other columns are ignored, and there need not be a label.",
            "Prints on stderr how well the predictions agree with the labels, if there are any.",
            "Reads models in Starling's JSON format and in LIBLINEAR's text format."
        },
        footer = {
            "",
            "Examples:",
            "  starling predict model.json a9a.t.gz",
            "  starling predict model.json a9a.t.gz --probabilities --output predictions.txt",
            "  starling predict model.json people.csv --append --probabilities --output predicted.csv",
            "  starling predict liblinear.model a9a.t.gz --json",
            "  starling predict path.json a9a.t.gz --lambda 1e-3"
        })
public final class PredictCommand extends ConsoleCommand {

    @Parameters(index = "1", arity = "0..1", paramLabel = "DATA", description = DataOptions.ROWS)
    private Path file;

    @Mixin
    private ModelChoice model;

    @Mixin
    private SourceOptions data;

    @Option(
            names = "--probabilities",
            description = "Print the probability of each class after the label; the first line lists the classes.")
    private boolean probabilities;

    @Option(
            names = "--scores",
            description = "Print the scores after the label; the first line lists their names. With a logistic loss and"
                    + " two classes, the score is the log-odds of the second class.")
    private boolean scores;

    @Option(
            names = "--interval",
            paramLabel = "LEVEL",
            description =
                    "Print the confidence interval of the mean after the prediction and, for a gaussian model, the"
                            + " prediction interval of a further label; for models that glm made.")
    private Double interval;

    @Option(
            names = "--append",
            description = "Print the CSV file with the prediction as an additional column, and with scores and"
                    + " probabilities if they are asked for.")
    private boolean append;

    @Option(names = "--strict", description = "Refuse rows with features or columns that the model does not know.")
    private boolean strict;

    @Under(Section.OUTPUT)
    @Option(names = "--output", paramLabel = "OUT", description = "Write the predictions to a file instead of stdout.")
    private Path output;

    @Under(Section.OUTPUT)
    @Option(
            names = "--json",
            description = "Print one JSON object with the metrics instead of predictions and remarks.")
    private boolean json;

    @Mixin
    private Remarks remarks;

    private boolean labelled = true;

    /** The rows with their weights, if these count; otherwise those that are predicted. */
    private Optional<Dataset> measured = Optional.empty();

    @Override
    public Integer call() {
        data.check(file);
        if (output != null) {
            Outputs.requireWritable(output, inputs());
        }
        LinearModel linear = model.load();
        Predictions predictions = predictions(linear);
        if (append && predictions.table().isEmpty()) {
            throw new InvalidInputException("--append adds columns to a CSV file whose columns have names; "
                    + data.source(file) + " has none, or " + model.file() + " does not know them");
        }
        Dataset rows = predictions.rows();
        if (probabilities) {
            linear.probabilities(rows, 0);
        }
        Extras extras = new Extras(scores, probabilities, intervals(linear));
        if (append) {
            predictions.requireNewColumns(extras);
        }
        PrintWriter out = out();
        if (output != null) {
            Outputs.write(() -> AtomicFiles.write(output, stream -> {
                Writer text = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
                write(predictions, extras, text);
                text.flush();
            }));
        } else if (!json) {
            write(predictions, extras, out);
        }
        Metrics metrics = labelled ? Metrics.of(linear, measured.orElse(rows)) : new Metrics(Map.of());
        if (json) {
            Json.print(out, generator -> {
                generator.with("rows", rows.rows());
                metrics.values().forEach((key, value) -> generator.with(key, value));
                generator.with("modelHash", linear.hash());
                if (output != null) {
                    generator.with("output", output.toString());
                }
            });
        } else if (!remarks.isQuiet()) {
            metrics.print(err());
        }
        return Main.DONE;
    }

    private Optional<PredictionIntervals> intervals(LinearModel linear) {
        if (interval == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PredictionIntervals(linear, interval));
        } catch (InvalidInputException e) {
            throw new InvalidInputException("--interval " + interval + ": " + e.getMessage(), e);
        }
    }

    private void write(Predictions predictions, Extras extras, Writer out) {
        if (append) {
            predictions.append(extras, out);
        } else {
            predictions.write(extras, out);
        }
    }

    /** Reads the rows: columns are matched by name if the model knows their names, otherwise by position. */
    private Predictions predictions(LinearModel linear) {
        Optional<Recipe> recipe = Recipe.of(linear);
        if (recipe.isPresent() && !recipe.get().isOfNumbers()) {
            return ofTable(linear, data.readTable(file));
        }
        if (linear.features() == 0 || linear.names().size() < linear.features()) {
            return ofNumbers(
                    linear,
                    data.read(file, linear.features(), (bytes, total) -> {}, table -> byPosition(linear, table)));
        }
        AtomicReference<Predictions> named = new AtomicReference<>();
        Dataset rows = data.readNamed(file, linear.features(), table -> {
            named.set(ofTable(linear, table));
            return named.get().rows();
        });
        return named.get() == null ? ofNumbers(linear, rows) : named.get();
    }

    /** The numbers of a table for a model that knows no names: columns in order, without the label if there is one. */
    private Dataset byPosition(LinearModel linear, Table table) {
        boolean unlabelled = data.labelColumn().isEmpty() && table.names().size() == linear.features();
        String label = unlabelled ? "" : table.labelColumn(data.labelColumn());
        List<String> features =
                table.names().stream().filter(name -> !name.equals(label)).toList();
        Encoded encoded = Recipe.ofNumbers(features, label).encodeToPredict(table);
        labelled = encoded.labelled();
        return encoded.rows();
    }

    private Predictions ofTable(LinearModel linear, Table table) {
        Recipe recipe = Recipe.of(linear).orElseGet(() -> Recipe.ofNumbers(linear.names(), label(linear, table)));
        Encoded encoded = recipe.encodeToPredict(table);
        if (!encoded.ignored().isEmpty()) {
            String ignored = String.join(", ", encoded.ignored());
            if (strict) {
                throw new InvalidInputException(
                        table.source() + " has columns that the model does not know: " + ignored + "; remove them");
            }
            remarks.say(table.source() + " has columns that the model does not know, which are ignored: " + ignored);
        }
        int dropped = encoded.incomplete(table);
        if (dropped > 0) {
            remarks.say(table.source() + " has " + dropped + " rows with missing values, whose prediction is NA");
        }
        labelled = encoded.labelled();
        boolean counts = recipe.labelColumns().size() > 1;
        if (counts || (labelled && recipe.weights().isPresent())) {
            measure(table, recipe);
        }
        if (!labelled
                && !recipe.target().column().isEmpty()
                && table.names().contains(recipe.target().column())) {
            remarks.say(table.source() + " has labels in column '"
                    + recipe.target().column() + "' that are missing or not known; they are not compared");
        }
        return new Predictions(linear, encoded.rows(), encoded.kept(), Optional.of(table));
    }

    /** Reads the weights and counts of rows, which do not matter for predictions but for how good they are. */
    private void measure(Table table, Recipe recipe) {
        if (table.names().containsAll(recipe.needed(true))) {
            measured = Optional.of(recipe.encode(table).rows());
            labelled = true;
        } else if (labelled) {
            remarks.say(table.source() + " has no column '" + recipe.weights().orElseThrow()
                    + "' with weights; all rows count alike");
        }
    }

    /** The label column, or "" if there is none: a model trained on numbers does not store its name. */
    private String label(LinearModel linear, Table table) {
        try {
            String label = table.labelColumn(data.labelColumn());
            return linear.names().contains(label) ? "" : label;
        } catch (InvalidInputException e) {
            if (data.labelColumn().isPresent()) {
                throw e;
            }
            return "";
        }
    }

    private Predictions ofNumbers(LinearModel linear, Dataset read) {
        String name = data.source(file);
        Dataset rows = linear.fitted(strict ? read : read.narrowed(linear.features()), name);
        if (rows.features() < read.features()) {
            remarks.say(name + " has " + read.features() + " features, the model " + linear.features()
                    + "; the others are ignored");
        }
        return new Predictions(linear, rows, List.of(), Optional.empty());
    }
}
