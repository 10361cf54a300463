package dev.starling.table;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Table;
import dev.starling.table.Formula.Factor;
import dev.starling.table.Formula.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a recipe out of what somebody wants and what a table holds; whatever is not said is inferred from the rows.
 *
 * <pre>{@code
 * Recipe recipe = Recipe.builder()
 *         .formula("income ~ age + sex + log(wage) + age:sex")
 *         .missing("wage", Missing.MEDIAN)
 *         .learn(table);
 * }</pre>
 */
public final class RecipeBuilder {

    private Optional<String> label = Optional.empty();
    private Optional<String> formula = Optional.empty();
    private Optional<String> weights = Optional.empty();
    private Optional<String> offset = Optional.empty();
    private final List<String> ids = new ArrayList<>();
    private final List<String> keep = new ArrayList<>();
    private final List<String> drop = new ArrayList<>();
    private final List<String> missingTokens = new ArrayList<>(MissingTokens.USUAL);
    private final Map<String, Kind> kinds = new HashMap<>();
    private final Map<String, List<String>> levels = new HashMap<>();
    private final Map<String, String> references = new HashMap<>();
    private final Map<String, Integer> buckets = new HashMap<>();
    private final Map<String, Missing> policies = new HashMap<>();
    private Missing policy = Missing.REFUSE;
    private boolean unknownIsReference;
    private int rareBelow;
    private boolean classes = true;
    private boolean standardize;

    RecipeBuilder() {}

    /** The column of the label: its name, its number from 1, or {@code last}; by default one of the usual names. */
    public RecipeBuilder label(String column) {
        label = Optional.of(column);
        return this;
    }

    /** Labels are numbers to predict rather than classes. */
    public RecipeBuilder regression() {
        classes = false;
        return this;
    }

    /** Which features to make, as {@link Formula} has it; by default every column by itself. */
    public RecipeBuilder formula(String text) {
        formula = Optional.of(text);
        return this;
    }

    /** Only these columns are used. */
    public RecipeBuilder keep(List<String> columns) {
        keep.addAll(columns);
        return this;
    }

    /** These columns are not used. */
    public RecipeBuilder drop(List<String> columns) {
        drop.addAll(columns);
        return this;
    }

    /** The column that says how much each row counts. */
    public RecipeBuilder weights(String column) {
        weights = Optional.of(column);
        return this;
    }

    /** The column of what is added to each row's score, with no coefficient to learn. */
    public RecipeBuilder offset(String column) {
        offset = Optional.of(column);
        return this;
    }

    /** Columns that tell rows apart and are not learnt from. */
    public RecipeBuilder ids(List<String> columns) {
        ids.addAll(columns);
        return this;
    }

    /** Further cells that say that nothing is known, besides an empty one, NA and ?. */
    public RecipeBuilder missingTokens(List<String> more) {
        missingTokens.addAll(more);
        return this;
    }

    /**
     * What to do about missing values unless a column says otherwise. Levels have no mean or median: the most frequent
     * takes its place. Missing dates are not imputed, nor are labels.
     */
    public RecipeBuilder missing(Missing usual) {
        policy = usual;
        return this;
    }

    /** What to do about missing values of a column. */
    public RecipeBuilder missing(String column, Missing ofColumn) {
        policies.put(column, ofColumn);
        return this;
    }

    /** What the cells of a column mean. */
    public RecipeBuilder kind(String column, Kind kind) {
        kinds.put(column, kind);
        return this;
    }

    /** The levels of a column in their order, the first of which is the reference unless another is chosen. */
    public RecipeBuilder levels(String column, List<String> inOrder) {
        levels.put(column, List.copyOf(inOrder));
        return this;
    }

    /** The level of a column that others are compared with. */
    public RecipeBuilder reference(String column, String level) {
        references.put(column, level);
        return this;
    }

    /** Levels that fewer rows have share a feature. */
    public RecipeBuilder rareBelow(int rows) {
        rareBelow = rows;
        return this;
    }

    /** Levels that are not known count as the reference instead of being refused. */
    public RecipeBuilder unknownIsReference(boolean value) {
        unknownIsReference = value;
        return this;
    }

    /** Spreads the levels of a column over this many features by their hash. */
    public RecipeBuilder hash(String column, int features) {
        buckets.put(column, features);
        return this;
    }

    /** Asks for features to be scaled for training. */
    public RecipeBuilder standardize(boolean value) {
        standardize = value;
        return this;
    }

    /**
     * The recipe for a table.
     *
     * @throws InvalidInputException if a column that was named does not exist, or does not suit what is wanted of it
     */
    public Recipe learn(Table table) {
        return learn(Survey.of(table, missingTokens), labelColumn(table));
    }

    /** The cells that say that nothing is known. */
    public List<String> missingTokens() {
        return List.copyOf(missingTokens);
    }

    /** The column of the label in a table. */
    public String labelColumn(Table table) {
        Optional<String> ofFormula = formula.map(text -> Formula.parse(text).label());
        return label.isPresent() || ofFormula.isEmpty() ? table.labelColumn(label) : table.labelColumn(ofFormula);
    }

    /** The recipe for rows that have been looked at already. */
    public Recipe learn(Survey survey, String labelColumn) {
        named().forEach(survey::column);
        List<Column> columns = new ArrayList<>();
        for (String name : used(survey, labelColumn)) {
            ColumnSurvey rows = survey.column(name);
            columns.add(RecipeCompletion.complete(column(rows), rows, survey.source(), rareBelow));
        }
        Missing ofLabel = policies.getOrDefault(labelColumn, policy == Missing.DROP ? policy : Missing.REFUSE);
        Target target = RecipeCompletion.complete(
                new Target(labelColumn, List.of(), ofLabel), survey.column(labelColumn), survey.source(), classes);
        Recipe recipe = new Recipe(columns, target, weights, offset, ids, missingTokens, formula, standardize);
        // Says at once what a formula cannot be made of.
        recipe.features();
        return recipe;
    }

    private List<String> named() {
        List<String> named = new ArrayList<>(keep);
        named.addAll(drop);
        named.addAll(ids);
        weights.ifPresent(named::add);
        offset.ifPresent(named::add);
        List.of(kinds, levels, references, buckets, policies).forEach(map -> named.addAll(map.keySet()));
        return named;
    }

    private List<String> used(Survey survey, String labelColumn) {
        Set<String> others = new HashSet<>(ids);
        others.addAll(drop);
        weights.ifPresent(others::add);
        offset.ifPresent(others::add);
        others.add(labelColumn);
        List<String> usable = survey.names().stream()
                .filter(name -> !others.contains(name) && (keep.isEmpty() || keep.contains(name)))
                .toList();
        if (formula.isEmpty()) {
            return usable;
        }
        Set<String> inFormula = new LinkedHashSet<>();
        for (Term term : Formula.parse(formula.get()).terms(usable)) {
            for (Factor factor : term.factors()) {
                survey.column(factor.column());
                inFormula.add(factor.column());
            }
        }
        return survey.names().stream().filter(inFormula::contains).toList();
    }

    private Column column(ColumnSurvey rows) {
        String name = rows.name();
        Kind kind = kinds.getOrDefault(
                name,
                buckets.containsKey(name) || references.containsKey(name) || levels.containsKey(name)
                        ? rows.kind() == Kind.BOOLEAN ? Kind.BOOLEAN : Kind.CATEGORICAL
                        : rows.kind());
        Column column = Column.of(name, kind)
                .unknownIsReference(unknownIsReference && kind.hasLevels())
                .missing(policies.getOrDefault(name, policyFor(kind)));
        if (buckets.containsKey(name)) {
            column = column.hashed(buckets.get(name));
        }
        if (levels.containsKey(name)) {
            column = column.levels(levels.get(name), List.of());
        }
        return references.containsKey(name) ? column.reference(references.get(name)) : column;
    }

    private Missing policyFor(Kind kind) {
        if (!policy.isImputed() || kind == Kind.NUMERIC) {
            return policy;
        }
        return kind == Kind.DATE ? Missing.REFUSE : Missing.MOST_FREQUENT;
    }
}
