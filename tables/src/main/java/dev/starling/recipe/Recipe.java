package dev.starling.recipe;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.model.LinearModel;
import dev.starling.model.TableEncoding;
import dev.starling.table.Kind;
import dev.starling.table.MissingTokens;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a table becomes rows of numbers: which columns are used and how, and what is predicted. It is part of a model, so
 * that predictions can be made from the same kind of table, whatever the order of its columns. Immutable.
 *
 * <pre>{@code
 * Table people = TableReader.standard().read(Path.of("people.csv"));
 * Recipe recipe = Recipe.builder().label("income").missing(Missing.MEDIAN).learn(people);
 * Dataset rows = recipe.encode(people).rows();
 * LinearModel model =
 *         Trainer.logistic().intercept(recipe.intercept()).fit(rows).model().with(recipe);
 * }</pre>
 *
 * <p>What a recipe has to learn from rows (levels, classes, values that replace missing ones) it learns from a
 * {@link Survey}; it is then applied to one row at a time. This class is longer than most, because everything that is
 * asked of a recipe, by training, predictions, studies and exports, is answered here.
 *
 * @param columns the columns that features are made from, in order
 * @param target what is predicted
 * @param weights the column of the rows' weights
 * @param offset the column of a number that is added to each row's score, without a coefficient to learn
 * @param ids columns that identify rows and are not learnt from
 * @param missingTokens cells that mean a missing value
 * @param formula which features to make; empty for each column as a term of its own
 * @param standardize whether features are standardised for training
 */
public record Recipe(
        List<Column> columns,
        Target target,
        Optional<String> weights,
        Optional<String> offset,
        List<String> ids,
        List<String> missingTokens,
        Optional<String> formula,
        boolean standardize)
        implements TableEncoding {

    /** What a table is called as a stratum, if it has no column of that name. */
    public static final String SITE = "site";

    /** What its file may have. */
    public static final Set<String> MEMBERS =
            Set.of("label", "columns", "weights", "offset", "ids", "missingTokens", "formula", "standardize");

    /** Copies the lists and rejects contradictions. */
    public Recipe {
        columns = List.copyOf(columns);
        ids = List.copyOf(ids);
        missingTokens = List.copyOf(missingTokens);
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            if (!names.add(column.name())) {
                throw new InvalidInputException("column '" + column.name() + "' is listed twice; list it once");
            }
        }
        if (names.contains(target.column())) {
            throw new InvalidInputException(
                    "column '" + target.column() + "' is the label; it cannot be a feature as well");
        }
        if (columns.isEmpty() && formula.isEmpty()) {
            throw new InvalidInputException("no columns to learn from; at least one is needed besides the label");
        }
        offset.filter(name -> names.contains(name) || name.equals(target.column()))
                .ifPresent(name -> {
                    throw new InvalidInputException(
                            "column '" + name + "' is the offset; it cannot be the label or a feature as well");
                });
        formula.ifPresent(text -> {
            String label = Formula.parse(text).label();
            if (!label.equals(target.column())) {
                throw new InvalidInputException("formula '" + text + "' predicts '" + label
                        + "', but the label is column '" + target.column() + "'; name one of them");
            }
        });
    }

    /** Returns a builder, which makes a recipe from what is asked for and what a table holds. */
    public static RecipeBuilder builder() {
        return new RecipeBuilder();
    }

    /**
     * The column that a formula predicts.
     *
     * @throws InvalidInputException if it predicts counts in two columns
     */
    public static String labelOf(String formula) {
        Formula parsed = Formula.parse(formula);
        parsed.requireOneColumn();
        return parsed.label();
    }

    /**
     * A recipe for numeric columns that are used as they are: for applying a model that has names but no recipe to a
     * table.
     *
     * @param label the column of the label, which tables need not have
     */
    public static Recipe ofNumbers(List<String> names, String label) {
        return new Recipe(
                names.stream().map(name -> Column.of(name, Kind.NUMERIC)).toList(),
                Target.number(label),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                MissingTokens.USUAL,
                Optional.empty(),
                false);
    }

    /**
     * The recipe of rows that hold nothing but numbers, as one learnt from their table would be.
     *
     * @param source the name of the table in messages
     * @param rows rows with the names of all columns but the label
     * @param label the name of the label's column
     * @param decimals what labels that are whole numbers have after their digits: nothing, or {@code .0}
     * @param classes whether labels are classes rather than numbers to predict
     */
    public static Recipe ofNumbers(String source, Dataset rows, String label, String decimals, boolean classes) {
        Recipe recipe = ofNumbers(rows.names(), label);
        if (!classes) {
            return recipe;
        }
        Map<Double, String> spellings = new TreeMap<>();
        for (double number : Labels.distinct(rows.labels())) {
            spellings.put(number, Labels.text(number) + decimals);
        }
        return recipe.with(RecipeCompletion.withClasses(recipe.target, source, spellings));
    }

    /** Creates a recipe from a map such as {@link #toMap} returns; unknown members are rejected by name. */
    public static Recipe of(Map<?, ?> members) {
        return RecipeMap.recipe(members);
    }

    /** The recipe of a model, if it has one. */
    public static Optional<Recipe> of(LinearModel model) {
        return model.recipe().filter(Recipe.class::isInstance).map(Recipe.class::cast);
    }

    /** Reads the recipes in model files. */
    public static final class Reader implements TableEncoding.Reader {

        /** Creates a reader, as service providers are made. */
        public Reader() {}

        @Override
        public Recipe read(Map<?, ?> members) {
            return of(members);
        }
    }

    /** The recipe as nested maps and lists of strings and booleans, as stored in files. */
    @Override
    public Map<String, Object> toMap() {
        return RecipeMap.of(this);
    }

    /**
     * The recipe with everything that it leaves open learnt from the rows of a table.
     *
     * @param classes whether labels are classes rather than numbers to predict
     */
    public Recipe learnt(Survey survey, boolean classes) {
        return new Recipe(
                columns.stream()
                        .map(column -> RecipeCompletion.complete(
                                column, survey.column(column.name()), survey.source(), 0, true))
                        .toList(),
                isOfCounts()
                        ? target
                        : RecipeCompletion.complete(target, survey.column(target.column()), survey.source(), classes),
                weights,
                offset,
                ids,
                missingTokens,
                formula.map(text -> RecipeCompletion.fixed(Formula.parse(text), survey)),
                standardize);
    }

    /**
     * The recipe with the values that replace missing ones learnt again, from other rows.
     *
     * @param fixed names of columns whose values stay as they are
     */
    public Recipe refilled(Survey survey, Set<String> fixed) {
        return withColumns(columns.stream()
                        .map(column -> column.fill().isEmpty() || fixed.contains(column.name())
                                ? column
                                : column.unfilled(column.indicator()))
                        .toList())
                .learnt(survey, !target.classes().isEmpty());
    }

    /** The columns for which the recipe has a value that replaces missing ones. */
    public Set<String> filled() {
        return columns.stream()
                .filter(column -> column.fill().isPresent())
                .map(Column::name)
                .collect(Collectors.toSet());
    }

    /** The same recipe with other columns. */
    public Recipe withColumns(List<Column> others) {
        return new Recipe(others, target, weights, offset, ids, missingTokens, formula, standardize);
    }

    private Recipe with(Target other) {
        return new Recipe(columns, other, weights, offset, ids, missingTokens, formula, standardize);
    }

    /** The same recipe with or without standardised features in training. */
    public Recipe withStandardize(boolean value) {
        return new Recipe(columns, target, weights, offset, ids, missingTokens, formula, value);
    }

    /**
     * Whether the features are the columns themselves, in order, so that rows of numbers without names can stand for
     * those of a table.
     */
    public boolean isOfNumbers() {
        return formula.isEmpty()
                && columns.stream().allMatch(column -> column.kind() == Kind.NUMERIC && !column.indicator());
    }

    /** What is added to each row's score: the offset column, and the offsets in the formula. */
    public List<Factor> offsets() {
        return Stream.concat(offset.map(Factor::of).stream(), parsed().offsets().stream())
                .distinct()
                .toList();
    }

    /** The columns that labels are made of: one, or two that count successes and failures. */
    public List<String> labelColumns() {
        return formula.map(text -> parsed().labelColumns()).orElse(List.of(target.column()));
    }

    /** What is predicted: the label's column or a function of it, or counts in two columns. */
    public String response() {
        return formula.isEmpty() || labelColumns().size() > 1
                ? target.column()
                : parsed().response().toString();
    }

    /** Whether labels are counts of successes and of failures. */
    boolean isOfCounts() {
        return parsed().failures().isPresent();
    }

    /**
     * The columns whose cells together name a row's stratum; {@link #SITE} may be none, but stand for a whole table.
     */
    public List<String> strata() {
        return parsed().strata();
    }

    /**
     * The columns whose cells together name a row's cluster; {@link #SITE} may be none, but stand for a whole table.
     */
    public List<String> clusters() {
        return parsed().clusters();
    }

    /** Whether the model has an intercept, which is so unless the formula removes it. */
    @Override
    public boolean intercept() {
        return parsed().intercept()
                && parsed().status().isEmpty()
                && parsed().strata().isEmpty();
    }

    /** The names of the features. */
    @Override
    public List<String> features() {
        return design().names();
    }

    @Override
    public String spelling(double label) {
        return target.spelling(label);
    }

    /**
     * Encodes a table as rows to learn from.
     *
     * @throws InvalidInputException if the table lacks a column, or holds a cell that does not fit
     */
    public Encoded encode(Table table) {
        return withRows(table, encodePart(table, true));
    }

    /** Encodes a surveyed table's labels, weights and keys, as {@link #encode} does, with features that are all 0. */
    public Encoded encodeWithoutFeatures(Table table, Survey survey) {
        return withRows(table, new Encoder(this, table, true, Optional.of(survey)).encode(true));
    }

    /** Encodes a table as {@link #encode} does, without keys: for rows of which none is held out or in a fold. */
    public Encoded encodeWithoutKeys(Table table) {
        return withRows(table, new Encoder(this, table, true, Optional.empty()).encode(false));
    }

    /**
     * Encodes one row to predict, given by the names of its columns; {@code null} is a missing value.
     *
     * @throws InvalidInputException if a column is missing, or if rows with this missing value are left out
     */
    @Override
    public Dataset row(Map<String, ?> cells) {
        TableBuilder table = new TableBuilder("the row", List.copyOf(cells.keySet()));
        cells.values().forEach(cell -> {
            if (cell == null) {
                table.addMissing();
            } else {
                table.add(cell.toString());
            }
        });
        Encoded encoded = encodeToPredict(table.build());
        if (encoded.rows().rows() == 0) {
            throw new InvalidInputException("the row has a missing value in a column whose missing values the recipe"
                    + " leaves out; give the value");
        }
        return encoded.rows();
    }

    /**
     * Encodes a table as rows to predict: labels and weights may be absent.
     *
     * @throws InvalidInputException if the table lacks a column, or holds a cell that does not fit
     */
    public Encoded encodeToPredict(Table table) {
        return withRows(table, encodePart(table, false));
    }

    /**
     * Encodes a part of a table that is encoded part by part; the result may have no rows, if all are dropped.
     *
     * @param training whether labels and weights are needed
     * @throws InvalidInputException if the table lacks a column, or holds a cell that does not fit
     */
    public Encoded encodePart(Table part, boolean training) {
        return new Encoder(this, part, training, Optional.empty()).encode(training);
    }

    private static Encoded withRows(Table table, Encoded encoded) {
        if (encoded.kept().isEmpty()) {
            throw new InvalidInputException(
                    encoded.weightless() > 0
                            ? table.source() + " has no row with a positive weight and without missing values"
                            : table.source() + " has no row without missing values; impute them, or drop columns");
        }
        return encoded;
    }

    /**
     * The columns that a table needs, in no particular order.
     *
     * @param training whether labels and weights are needed
     */
    public List<String> needed(boolean training) {
        Stream<String> used = Stream.concat(
                columns.stream().map(Column::name), offsets().stream().map(Factor::column));
        Stream<String> more = training
                ? Stream.of(
                                labelColumns().stream(),
                                weights.stream(),
                                Stream.concat(strata().stream(), clusters().stream())
                                        .filter(name -> !name.equals(SITE)))
                        .flatMap(names -> names)
                : Stream.empty();
        return Stream.concat(used, more).distinct().toList();
    }

    /**
     * Rejects a table that lacks a column. One that only names clusters may be absent: who needs clusters looks for it.
     *
     * @param source the name of the table in messages
     * @param names the names of its columns
     * @param training whether labels and weights are needed
     */
    public void requireColumns(String source, List<String> names, boolean training) {
        List<String> absent = needed(training).stream()
                .filter(name -> !names.contains(name) && !clusters().contains(name))
                .toList();
        if (!absent.isEmpty()) {
            String quoted = absent.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
            String nearest = InvalidInputException.nearest(absent.get(0), names);
            throw new InvalidInputException(source + " has no column " + quoted
                    + "; columns are matched by name, and there are: " + String.join(", ", names)
                    + (nearest.equalsIgnoreCase(absent.get(0)) ? " (is '" + nearest + "' the same?)" : ""));
        }
    }

    /**
     * The features term by term, for exporting the recipe to other formats: each term is a number times a weight that
     * is looked up by levels.
     */
    public List<Lookup> lookups() {
        return Lookup.of(design(), columns);
    }

    /** The feature that is 1 where the value of a column was missing; −1 if there is none. */
    public int indicator(Column column) {
        return design().indicator(columns.indexOf(column));
    }

    Design design() {
        return new Design(columns, parsed());
    }

    Formula parsed() {
        return formula.map(Formula::parse)
                .orElseGet(
                        () -> Formula.ofAll(columns.stream().map(Column::name).toList()));
    }
}
