package dev.starling.cli.evaluate;

import dev.starling.cli.options.DataOptions;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowWeights;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.table.Table;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Rows with labels to evaluate a model on.
 *
 * @param name the name of the rows in messages
 */
public record LabelledRows(String name, Dataset rows) {

    /**
     * Reads a file like the model's training data: columns of a table by name, with row weights if the model was
     * trained with some.
     *
     * @param remark receives remarks on what is left out
     */
    public static LabelledRows read(DataOptions data, LinearModel model, Path file, Consumer<String> remark) {
        String name = data.source(file);
        Optional<Recipe> recipe = Recipe.of(model);
        if (recipe.isPresent() && !recipe.get().isOfNumbers()) {
            Table table = data.readTable(file, (bytes, total) -> {});
            return new LabelledRows(name, ofTable(table, recipe.get(), remark));
        }
        boolean named = model.features() > 0 && model.names().size() == model.features();
        Dataset read = named
                ? data.readNamed(
                        file,
                        model.features(),
                        table -> ofTable(table, recipe.orElseGet(() -> ofNumbers(data, model, table)), remark))
                : data.read(file, model.features(), (bytes, total) -> {});
        if (read.features() > model.features()) {
            remark.accept(name + " has " + read.features() + " features, the model " + model.features()
                    + "; the others are ignored");
        }
        return new LabelledRows(name, model.fitted(read.narrowed(model.features()), name));
    }

    /** Returns the rows with the weights in a file, if one is given. */
    LabelledRows weighted(Optional<Path> weights) {
        return weights.map(file -> new LabelledRows(name, RowWeights.read(file, rows)))
                .orElse(this);
    }

    private static Recipe ofNumbers(DataOptions data, LinearModel model, Table table) {
        String label = table.labelColumn(data.labelColumn());
        if (model.names().contains(label)) {
            throw new InvalidInputException(table.source() + " has no labels: column '" + label
                    + "' is a feature of the model; name the column that holds them with --label-column");
        }
        return Recipe.ofNumbers(model.names(), label);
    }

    private static Dataset ofTable(Table table, Recipe recipe, Consumer<String> remark) {
        String label = recipe.target().column();
        if (!table.names().contains(label)) {
            throw new InvalidInputException(table.source() + " has no labels, which the model was trained to find in"
                    + " column '" + label + "'; add them, or use 'starling predict', which needs none");
        }
        Encoded encoded = recipe.encode(table);
        int dropped = table.rows() - encoded.kept().size();
        if (dropped > 0) {
            remark.accept(table.source() + ": " + dropped + " rows with missing values are left out");
        }
        return encoded.rows();
    }

    /** Measures how well a model predicts the labels. */
    public Measures evaluate(LinearModel model) {
        try {
            return Evaluation.of(model, rows);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(name + ": " + e.getMessage(), e);
        }
    }
}
