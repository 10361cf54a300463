package dev.starling.cli.options;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowSample;
import dev.starling.peer.config.WordFile;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.settings.Settings;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the columns of a CSV file mean, where that is not inferred: the options of {@code train}. */
@Under(Section.COLUMNS)
public final class TableOptions {

    private static final long[] NO_KEYS = {};

    @Option(
            names = "--recipe",
            paramLabel = "FILE",
            description =
                    "Recipe that says what the columns of a CSV file mean, written by 'describe' and perhaps edited.")
    private Path recipeFile;

    @Mixin
    private StudyOption study;

    @Mixin
    private ColumnOptions columns;

    /**
     * Rows with the recipe that made them.
     *
     * @param recipe empty for files of numbers
     * @param dropped rows that were left out because of missing values
     * @param rowNames the column that names or numbers the rows, if there is one that has no other use
     * @param keys a key for each row, made of its cells in the key columns; empty without key columns
     */
    public record Read(Dataset rows, Optional<Recipe> recipe, int dropped, Optional<String> rowNames, long[] keys) {}

    /** The columns that identify rows. */
    public List<String> ids() {
        return columns.ids();
    }

    /** The settings of the study, if one is given: no other option may set these then. */
    public Optional<Settings> agreed(Predicate<String> isGiven) {
        return study.settings(isGiven, columns.areGiven());
    }

    /** Refuses what can be refused before the data is read. */
    public void check() {
        if (recipeFile != null && columns.areGiven()) {
            throw new InvalidInputException(
                    "--recipe " + recipeFile + " says what columns mean; change the recipe instead of giving options");
        }
        columns.check();
    }

    /**
     * Reads a file. A file of numbers is read as a table only if an option asks for that; a file with text always is.
     *
     * @param earlier a recipe to follow unless an option gives another
     * @param classes whether labels are names of classes
     * @param keyColumns columns whose cells make the keys; they are not learnt from unless a recipe says so
     * @param heldOut rows that are kept from training: replacements for missing values are not learnt from them
     */
    public Read read(
            DataOptions data,
            Path file,
            DatasetReader.Progress progress,
            Optional<Recipe> earlier,
            boolean classes,
            List<String> keyColumns,
            RowSample heldOut) {
        if (study.isGiven()) {
            Table table = data.readTable(file, progress);
            return encoded(table, study.recipe(table), study::refilled, keyColumns, heldOut);
        }
        if (recipeFile == null && !columns.areGiven() && earlier.isEmpty() && keyColumns.isEmpty()) {
            AtomicReference<Read> table = new AtomicReference<>();
            Dataset rows = data.read(file, 0, progress, text -> {
                table.set(inferred(text, data, classes, keyColumns, heldOut));
                return table.get().rows;
            });
            return table.get() == null ? new Read(rows, Optional.empty(), 0, Optional.empty(), NO_KEYS) : table.get();
        }
        Optional<Recipe> given = recipeFile != null
                ? Optional.of(WordFile.readRecipe(recipeFile))
                : columns.areGiven() ? Optional.empty() : earlier;
        Table table = data.readTable(file, progress);
        if (given.isEmpty()) {
            return inferred(table, data, classes, keyColumns, heldOut);
        }
        Recipe recipe = given.get().learnt(Survey.of(table, given.get().missingTokens()), classes);
        return encoded(table, recipe, rows -> recipe.refilled(rows, given.get().filled()), keyColumns, heldOut);
    }

    private Read inferred(Table table, DataOptions data, boolean classes, List<String> keyColumns, RowSample heldOut) {
        RecipeBuilder builder = columns.builder()
                .ids(keyColumns.stream()
                        .filter(column -> !columns.ids().contains(column))
                        .toList());
        data.labelColumn().ifPresent(builder::label);
        Recipe recipe = (classes ? builder : builder.regression()).learn(table);
        return encoded(table, recipe, rows -> recipe.refilled(rows, Set.of()), keyColumns, heldOut);
    }

    /** @param refilled returns the recipe with replacements for missing values learnt from the given rows */
    private static Read encoded(
            Table table, Recipe recipe, Function<Survey, Recipe> refilled, List<String> keyColumns, RowSample heldOut) {
        Encoded encoded = recipe.encode(table);
        if (heldOut.part() > 0 && !recipe.filled().isEmpty()) {
            Recipe trained = refilled.apply(Survey.of(table, recipe.missingTokens(), encoded.in(heldOut)));
            return encoded(table, trained, trained.encode(table), keyColumns);
        }
        return encoded(table, recipe, encoded, keyColumns);
    }

    private static Read encoded(Table table, Recipe recipe, Encoded encoded, List<String> keyColumns) {
        return new Read(
                encoded.rows(),
                Optional.of(recipe),
                table.rows() - encoded.kept().size(),
                table.names().stream()
                        .filter(name -> Table.namesRows(name)
                                && !recipe.ids().contains(name)
                                && !recipe.needed(true).contains(name))
                        .findFirst(),
                keyColumns.isEmpty() ? NO_KEYS : table.keys(keyColumns, encoded.kept()));
    }
}
