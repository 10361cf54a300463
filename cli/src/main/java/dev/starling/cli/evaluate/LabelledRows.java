package dev.starling.cli.evaluate;

import dev.starling.cli.options.DataOptions;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.RowWeights;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.table.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Rows with labels to evaluate models on, read once and encoded for each model; all models have the same rows in the
 * same order.
 *
 * @param name the name of the rows in messages
 * @param ofModels the rows as each model takes them
 * @param groups the group of each row; empty if there are no groups
 */
public record LabelledRows(String name, List<Dataset> ofModels, List<String> groups) {

    private static final String MISSING = "(missing)";

    /**
     * Reads a file like the models' training data: columns of a table by name, with row weights if a model was trained
     * with some. Rows that one of the models leaves out because of missing values are left out for all.
     *
     * @param by the column that divides the rows into groups, if there are groups
     * @param remark receives remarks on what is left out
     */
    static LabelledRows read(
            DataOptions data, List<LinearModel> models, Path file, Optional<String> by, Consumer<String> remark) {
        String name = data.source(file);
        AtomicReference<Table> table = new AtomicReference<>();
        Dataset numbers = null;
        if (models.stream()
                .anyMatch(model ->
                        Recipe.of(model).filter(recipe -> !recipe.isOfNumbers()).isPresent())) {
            table.set(data.readTable(file));
        } else if (by.isPresent() || models.stream().allMatch(LabelledRows::isNamed)) {
            LinearModel first = models.get(0);
            numbers = data.readNamed(file, first.features(), read -> {
                table.set(read);
                return encoded(read, recipe(data, first, read)).rows();
            });
        } else {
            numbers = data.read(file, models.get(0).features(), (bytes, total) -> {}, read -> byPosition(data, read));
        }
        if (table.get() != null) {
            return ofTable(name, table.get(), data, models, by, remark);
        }
        by.ifPresent(column -> {
            throw new InvalidInputException(
                    name + " has no column '" + column + "' to divide the rows by: its columns have no names");
        });
        Dataset read = numbers;
        return new LabelledRows(
                name,
                models.stream().map(model -> fitted(name, read, model, remark)).toList(),
                List.of());
    }

    /** Reads a file for one model. */
    public static LabelledRows read(DataOptions data, LinearModel model, Path file, Consumer<String> remark) {
        return read(data, List.of(model), file, Optional.empty(), remark);
    }

    /** The numbers of a table for models that know no names: its columns in order, without the label. */
    private static Dataset byPosition(DataOptions data, Table table) {
        String label = table.labelColumn(data.labelColumn());
        List<String> features =
                table.names().stream().filter(name -> !name.equals(label)).toList();
        return Recipe.ofNumbers(features, label).encode(table).rows();
    }

    private static boolean isNamed(LinearModel model) {
        return model.features() > 0 && model.names().size() == model.features();
    }

    private static Dataset fitted(String name, Dataset read, LinearModel model, Consumer<String> remark) {
        if (read.features() > model.features()) {
            remark.accept(name + " has " + read.features() + " features, the model " + model.features()
                    + "; the others are ignored");
        }
        return model.fitted(read.narrowed(model.features()), name);
    }

    private static Recipe recipe(DataOptions data, LinearModel model, Table table) {
        return Recipe.of(model).orElseGet(() -> {
            String label = table.labelColumn(data.labelColumn());
            if (model.names().contains(label)) {
                throw new InvalidInputException(table.source() + " has no labels: column '" + label
                        + "' is a feature of the model; name the column that holds them with --label-column");
            }
            return Recipe.ofNumbers(model.names(), label);
        });
    }

    private static Encoded encoded(Table table, Recipe recipe) {
        if (!table.names().containsAll(recipe.labelColumns())) {
            throw new InvalidInputException(table.source() + " has no labels, which the model was trained to find in"
                    + " column '" + String.join("' and '", recipe.labelColumns())
                    + "'; add them, or use 'starling predict', which needs none");
        }
        return recipe.encode(table);
    }

    private static LabelledRows ofTable(
            String name,
            Table table,
            DataOptions data,
            List<LinearModel> models,
            Optional<String> by,
            Consumer<String> remark) {
        List<Encoded> ofModels = models.stream()
                .map(model -> encoded(table, recipe(data, model, table)))
                .toList();
        Set<Integer> common = new HashSet<>(ofModels.get(0).kept());
        ofModels.forEach(encoded -> common.retainAll(new HashSet<>(encoded.kept())));
        ofModels.get(0).leftOut(table).forEach(remark);
        long more = ofModels.get(0).kept().stream().distinct().count() - common.size();
        if (more > 0) {
            remark.accept(table.source() + ": " + more + " rows that another of the models leaves out are left out");
        }
        List<List<Integer>> places =
                ofModels.stream().map(encoded -> places(encoded, common)).toList();
        return new LabelledRows(
                name,
                IntStream.range(0, models.size())
                        .mapToObj(k -> ofModels.get(k)
                                .rows()
                                .picked(places.get(k).stream()
                                        .mapToInt(Integer::intValue)
                                        .toArray()))
                        .toList(),
                by.map(column -> {
                            List<String> cells = cells(table, column);
                            return places.get(0).stream()
                                    .map(place ->
                                            cells.get(ofModels.get(0).kept().get(place)))
                                    .toList();
                        })
                        .orElse(List.of()));
    }

    /** Where the encoded rows are that all models have. */
    private static List<Integer> places(Encoded encoded, Set<Integer> common) {
        return IntStream.range(0, encoded.kept().size())
                .filter(k -> common.contains(encoded.kept().get(k)))
                .boxed()
                .toList();
    }

    private static List<String> cells(Table table, String column) {
        int at = table.names().indexOf(column);
        if (at < 0) {
            throw InvalidInputException.unknownName("column", column, table.names());
        }
        List<String> cells = new ArrayList<>();
        for (Table.Cursor cursor = table.cursor(); cursor.next(); ) {
            String cell = cursor.text(at).strip();
            cells.add(cell.isEmpty() ? MISSING : cell);
        }
        return cells;
    }

    /** Returns the rows with the weights in a file, if one is given, without those of weight 0. */
    LabelledRows weighted(Optional<Path> weights) {
        return weights.map(file -> {
                    double[] all = RowWeights.read(file, ofModels.get(0).rows());
                    double[] positive =
                            Arrays.stream(all).filter(weight -> weight > 0).toArray();
                    LabelledRows kept = only(row -> all[row] > 0);
                    return new LabelledRows(
                            name,
                            kept.ofModels.stream()
                                    .map(rows -> rows.withWeights(positive))
                                    .toList(),
                            kept.groups);
                })
                .orElse(this);
    }

    /** The rows that a condition on their index selects. */
    LabelledRows only(IntPredicate selected) {
        int[] rows = IntStream.range(0, ofModels.get(0).rows()).filter(selected).toArray();
        return new LabelledRows(
                name,
                ofModels.stream().map(all -> all.picked(rows)).toList(),
                groups.isEmpty()
                        ? groups
                        : Arrays.stream(rows).mapToObj(groups::get).toList());
    }

    /** Measures how well the only model predicts the labels. */
    public Measures evaluate(LinearModel model) {
        return evaluate(model, 0);
    }

    /** Measures how well one of the models predicts the labels. */
    Measures evaluate(LinearModel model, int index) {
        try {
            return Evaluation.of(model, ofModels.get(index));
        } catch (InvalidInputException e) {
            throw new InvalidInputException(name + ": " + e.getMessage(), e);
        }
    }
}
