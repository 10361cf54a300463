package dev.starling.cli.options;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.data.keys.RowSample;
import dev.starling.data.text.RowWeights;
import dev.starling.data.text.TextSource;
import dev.starling.peer.config.WordFile;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.MissingValuesException;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.settings.Precision;
import dev.starling.settings.Settings;
import dev.starling.table.CellParsing;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
     * @param remarks what to say about how the rows were read
     * @param keys a key for each row, made of its cells in the key columns; empty without key columns
     */
    public record Read(Dataset rows, Optional<Recipe> recipe, List<String> remarks, long[] keys) {

        /** The same with values kept in some precision. */
        public Read keptAs(Precision precision) {
            return new Read(precision.apply(rows), recipe, remarks, keys);
        }

        /**
         * Refuses labels of one class, which is named as it is written, for a loss that tells classes apart.
         *
         * @param heldOut the rows that are kept from training
         * @param remark what else to say
         */
        public void requireTwoClasses(String source, RowSample heldOut, String remark) {
            Dataset trained = remark.isEmpty() ? rows : heldOut.without(rows);
            double[] found = Labels.distinct(trained.labels());
            recipe.map(Recipe::target)
                    .filter(target -> found.length == 1 && !target.classes().isEmpty())
                    .ifPresent(target -> {
                        throw new InvalidInputException(source + ": label column '" + target.column()
                                + "' holds only one class, '" + target.spelling(found[0]) + "', in "
                                + (trained.rows() == 1 ? "1 row" : trained.rows() + " rows")
                                + "; two are needed, so add rows of another or name another column"
                                + " (--label-column)" + remark);
                    });
        }

        /** The same with the weights in a file, if there is one; rows of weight 0 are left out. */
        public Read weighted(Optional<Path> file) {
            if (file.isEmpty()) {
                return this;
            }
            double[] weights = RowWeights.read(file.get(), rows.rows());
            int[] kept = RowWeights.positive(weights);
            List<String> said = new ArrayList<>(remarks);
            Encoded.left(weights.length - kept.length, "weight 0")
                    .ifPresent(text -> said.add(file.get() + ": " + text));
            long[] ofKept = keys.length == 0
                    ? keys
                    : Arrays.stream(kept).mapToLong(row -> keys[row]).toArray();
            return new Read(RowWeights.of(rows, weights), recipe, said, ofKept);
        }
    }

    /** Refuses words as classes in an order, unless a file or an option gives that. */
    public void requireOrder(Recipe recipe, String source) {
        if (recipeFile == null && !study.isGiven()) {
            columns.requireOrder(recipe.target(), source);
        }
    }

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
            Inferring table = new Inferring(data, data.source(file), classes, heldOut);
            Dataset rows = data.read(file, 0, progress, table);
            return table.read == null ? new Read(rows, Optional.empty(), List.of(), NO_KEYS) : table.read;
        }
        Optional<Recipe> given = recipeFile != null
                ? Optional.of(WordFile.readRecipe(recipeFile))
                : columns.areGiven() ? Optional.empty() : earlier;
        Table table = data.readTable(file, progress);
        if (given.isEmpty()) {
            return inferred(table, data, classes, keyColumns, heldOut);
        }
        Recipe recipe = given.get().learnt(Survey.of(table, given.get().missingTokens()), classes);
        try {
            return encoded(
                    table, recipe, rows -> recipe.refilled(rows, given.get().filled()), keyColumns, heldOut);
        } catch (MissingValuesException e) {
            throw recipeFile == null ? e : inRecipe(e);
        }
    }

    /** Says which line of the recipe's file to change. */
    private InvalidInputException inRecipe(MissingValuesException e) {
        String column = e.columns().get(0);
        return new InvalidInputException(
                e.found() + "; let " + recipeFile + ", line " + line(column) + ", say 'missing: drop' for '" + column
                        + "', or 'missing: most-frequent' unless it is the label or a date",
                e);
    }

    /** The line of the recipe's file on which a column's policy for missing values is, or would be. */
    private int line(String column) {
        Pattern name =
                Pattern.compile("(name|column)\\W{1,3}:?\\s*[\"']?" + Pattern.quote(column) + "[\"']?\\s*([,}].*)?$");
        Pattern next = Pattern.compile("\\b(name|columns?)\\b");
        List<String> lines = new String(
                        TextSource.read(recipeFile, text -> text.after(0).readAllBytes()), StandardCharsets.UTF_8)
                .lines()
                .toList();
        int found = 0;
        for (int k = 0; k < lines.size(); k++) {
            boolean named = name.matcher(lines.get(k)).find();
            if (found > 0 && !named && next.matcher(lines.get(k)).find()) {
                return found;
            }
            found = named ? k + 1 : found;
            if (found > 0 && lines.get(k).contains("missing")) {
                return k + 1;
            }
        }
        return Math.max(1, found);
    }

    /** Makes rows by a recipe that is inferred from them. */
    private final class Inferring implements TableReader.Encoder {
        private final DataOptions data;
        private final String source;
        private final boolean classes;
        private final RowSample heldOut;
        private Read read;

        Inferring(DataOptions data, String source, boolean classes, RowSample heldOut) {
            this.data = data;
            this.source = source;
            this.classes = classes;
            this.heldOut = heldOut;
        }

        @Override
        public Dataset encode(Table table) {
            read = inferred(table, data, classes, List.of(), heldOut);
            return read.rows;
        }

        @Override
        public Dataset encode(Dataset rows, String label, String decimals) {
            Recipe recipe = Recipe.ofNumbers(source, rows, label, decimals, classes);
            read = new Read(rows, Optional.of(recipe), onLabel(recipe, data, source), NO_KEYS);
            return rows;
        }
    }

    private Read inferred(Table table, DataOptions data, boolean classes, List<String> keyColumns, RowSample heldOut) {
        RecipeBuilder builder = columns.builder()
                .ids(keyColumns.stream()
                        .filter(column -> !columns.ids().contains(column))
                        .toList());
        data.labelColumn().ifPresent(builder::label);
        Recipe recipe = (classes ? builder : builder.regression()).learn(table);
        Read read = encoded(table, recipe, rows -> recipe.refilled(rows, Set.of()), keyColumns, heldOut);
        List<String> remarks = new ArrayList<>(onLabel(recipe, data, table.source()));
        remarks.addAll(read.remarks);
        return new Read(read.rows, read.recipe, remarks, read.keys);
    }

    /** What to say about a label that was guessed, or about numbers that are taken for classes. */
    private List<String> onLabel(Recipe recipe, DataOptions data, String source) {
        List<String> remarks = new ArrayList<>();
        String label = recipe.target().column();
        if (data.labelColumn().isEmpty() && !columns.haveFormula()) {
            remarks.add(source + ": column '" + label
                    + "' is the label, judging by its name; --label-column names another");
        }
        List<String> found = recipe.target().classes();
        if (found.size() > 2
                && !columns.declare(label)
                && found.stream().noneMatch(name -> Double.isNaN(CellParsing.number(name)))) {
            remarks.add(source + ": the " + found.size() + " different numbers in column '" + label
                    + "' are taken for classes; --loss squared predicts numbers");
        }
        return remarks;
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
        List<String> remarks = new ArrayList<>();
        table.names().stream()
                .filter(name -> Table.namesRows(name)
                        && !recipe.ids().contains(name)
                        && !recipe.needed(true).contains(name))
                .findFirst()
                .ifPresent(name -> remarks.add(table.source() + ": column '" + name
                        + "' names the rows and is not learnt from; --id-column makes it their id"));
        remarks.addAll(encoded.leftOut(table));
        return new Read(
                encoded.rows(),
                Optional.of(recipe),
                remarks,
                keyColumns.isEmpty() ? NO_KEYS : table.keys(keyColumns, encoded.kept()));
    }
}
