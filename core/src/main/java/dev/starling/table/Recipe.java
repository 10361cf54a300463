package dev.starling.table;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How rows of numbers are made of a table: which columns are used and how, and what is predicted. It is part of a
 * model, so that predictions can be made from the same kind of table, whatever the order of its columns. Immutable.
 *
 * <pre>{@code
 * Table people = DatasetReader.standard().readTable(Path.of("people.csv"));
 * Recipe recipe = Recipe.builder().label("income").missing(Missing.MEDIAN).learn(people);
 * Dataset rows = recipe.encode(people).rows();
 * LinearModel model = Trainer.logistic().fit(rows).model().with(recipe);
 * }</pre>
 *
 * <p>What a recipe has to learn from rows (levels, classes, what stands in for missing values) it learns from a
 * {@link Survey}; applying it looks at one row at a time.
 *
 * @param columns those that features are made of, in order
 * @param target what is predicted
 * @param weights the column of the rows' weights
 * @param offset the column of what is added to each row's score, with no coefficient to learn
 * @param ids columns that tell rows apart and say nothing else
 * @param missingTokens cells that say that nothing is known
 * @param formula which features to make; empty for every column by itself
 * @param standardize whether features are to be scaled for training
 */
public record Recipe(
        List<Column> columns,
        Target target,
        Optional<String> weights,
        Optional<String> offset,
        List<String> ids,
        List<String> missingTokens,
        Optional<String> formula,
        boolean standardize) {

    /** Copies the lists, and refuses what contradicts itself. */
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
        if (columns.isEmpty()) {
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

    /** Makes recipes out of what somebody wants and what a table holds. */
    public static RecipeBuilder builder() {
        return new RecipeBuilder();
    }

    /** The column that a formula predicts. */
    public static String labelOf(String formula) {
        return Formula.parse(formula).label();
    }

    /**
     * Columns of numbers, used as they are: how a model without a recipe, but with names, is applied to a table.
     *
     * @param label the column of the label; it need not be there
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

    /** A recipe as {@link #toMap} gives it; what is not understood is refused by name. */
    public static Recipe of(Map<String, ?> members) {
        return RecipeMap.recipe(members);
    }

    /** The recipe as nested maps and lists of words and truths: what files hold. */
    public Map<String, Object> toMap() {
        return RecipeMap.of(this);
    }

    /**
     * The recipe with all that it leaves open learnt from the rows of a table.
     *
     * @param classes whether labels are to name classes rather than numbers to predict
     */
    public Recipe learnt(Survey survey, boolean classes) {
        return new Recipe(
                columns.stream()
                        .map(column ->
                                RecipeCompletion.complete(column, survey.column(column.name()), survey.source(), 0))
                        .toList(),
                RecipeCompletion.complete(target, survey.column(target.column()), survey.source(), classes),
                weights,
                offset,
                ids,
                missingTokens,
                formula,
                standardize);
    }

    /**
     * The recipe with what stands in for missing values learnt anew, from other rows.
     *
     * @param fixed names of columns for which it stays
     */
    public Recipe refilled(Survey survey, Set<String> fixed) {
        return withColumns(columns.stream()
                        .map(column -> column.fill().isEmpty() || fixed.contains(column.name())
                                ? column
                                : column.unfilled(column.indicator()))
                        .toList())
                .learnt(survey, !target.classes().isEmpty());
    }

    /** The columns for which it says what stands in for missing values. */
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

    /** The same recipe for features that are to be scaled for training, or are not. */
    public Recipe withStandardize(boolean value) {
        return new Recipe(columns, target, weights, offset, ids, missingTokens, formula, value);
    }

    /** Whether the formula asks for an intercept, as it does unless it says otherwise. */
    public boolean intercept() {
        return parsed().intercept();
    }

    /** What the features are called. */
    public List<String> features() {
        return design().names();
    }

    /**
     * Rows to learn from.
     *
     * @throws InvalidInputException if the table lacks a column, or holds a cell that does not fit
     */
    public Encoded encode(Table table) {
        return withRows(table, encodePart(table, true));
    }

    /**
     * Rows to predict: labels and weights may be absent.
     *
     * @throws InvalidInputException if the table lacks a column, or holds a cell that does not fit
     */
    public Encoded encodeToPredict(Table table) {
        return withRows(table, encodePart(table, false));
    }

    /**
     * Some of a table's rows, where it is encoded part by part: all of them may turn out to be left out.
     *
     * @param training whether labels and weights are needed
     * @throws InvalidInputException if the table lacks a column, or holds a cell that does not fit
     */
    public Encoded encodePart(Table part, boolean training) {
        return new Encoder(this, part, training).encode();
    }

    private static Encoded withRows(Table table, Encoded encoded) {
        if (encoded.kept().isEmpty()) {
            throw new InvalidInputException(
                    table.source() + " has no row without missing values; impute them, or drop columns");
        }
        return encoded;
    }

    /**
     * The columns that a table needs, in no particular order.
     *
     * @param training whether labels and weights are needed
     */
    public List<String> needed(boolean training) {
        Stream<String> used = Stream.concat(columns.stream().map(Column::name), offset.stream());
        Stream<String> more = training ? Stream.concat(Stream.of(target.column()), weights.stream()) : Stream.empty();
        return Stream.concat(used, more).toList();
    }

    /**
     * Refuses a table that lacks a column.
     *
     * @param source what the table is called in messages
     * @param names what its columns are called
     * @param training whether labels and weights are needed
     */
    public void requireColumns(String source, List<String> names, boolean training) {
        List<String> absent =
                needed(training).stream().filter(name -> !names.contains(name)).toList();
        if (!absent.isEmpty()) {
            String quoted = absent.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
            String nearest = InvalidInputException.nearest(absent.get(0), names);
            throw new InvalidInputException(source + " has no column " + quoted
                    + "; columns are matched by name, and there are: " + String.join(", ", names)
                    + (nearest.equalsIgnoreCase(absent.get(0)) ? " (is '" + nearest + "' the same?)" : ""));
        }
    }

    /**
     * What the features come to, term by term, for those who write the recipe down in another language: a number, times
     * a weight that is looked up by levels.
     */
    public List<Lookup> lookups() {
        return Lookup.of(design(), columns);
    }

    /** The feature that says where the value of a column was missing; −1 if there is none. */
    public int indicator(Column column) {
        return design().indicator(columns.indexOf(column));
    }

    Design design() {
        return new Design(columns, parsed());
    }

    private Formula parsed() {
        return formula.map(Formula::parse)
                .orElseGet(
                        () -> Formula.ofAll(columns.stream().map(Column::name).toList()));
    }
}
