package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.recipe.Formula.Term;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.Kind;
import dev.starling.table.MissingTokens;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes a recipe from what is asked for and what a table holds; whatever is not specified is inferred from the rows.
 *
 * <pre>{@code
 * Recipe recipe = Recipe.builder()
 *         .formula("income ~ age + sex + log(wage) + age:sex")
 *         .missing("wage", Missing.MEDIAN)
 *         .learn(table);
 * }</pre>
 *
 * <p>It has more fields than most classes, and is longer than most: one field, and one method, for everything that can
 * be asked for.
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
    private boolean shares;
    private boolean stratified;
    private boolean clustered;
    private boolean indicators = true;

    RecipeBuilder() {}

    /**
     * Sets the column of the label: its name, its number from 1, or {@code last}; by default, one of the usual names.
     */
    public RecipeBuilder label(String column) {
        label = Optional.of(column);
        return this;
    }

    /** Takes labels as numbers to predict rather than classes. */
    public RecipeBuilder regression() {
        classes = false;
        return this;
    }

    /** Takes strata in the formula, as whoever compares rows of a stratum only does. */
    public RecipeBuilder stratified() {
        stratified = true;
        return this;
    }

    /** Takes clusters in the formula, as studies do. */
    public RecipeBuilder clustered() {
        clustered = true;
        return this;
    }

    /** Takes labels as shares of successes, which may be given as counts of two outcomes. */
    public RecipeBuilder shares() {
        shares = true;
        return regression();
    }

    /** Sets which features to make, as a {@link Formula}; by default, each column is a term of its own. */
    public RecipeBuilder formula(String text) {
        formula = Optional.of(text);
        return this;
    }

    /** Uses only these columns. */
    public RecipeBuilder keep(List<String> columns) {
        keep.addAll(columns);
        return this;
    }

    /** Leaves out these columns. */
    public RecipeBuilder drop(List<String> columns) {
        drop.addAll(columns);
        return this;
    }

    /** Sets the column of the rows' weights. */
    public RecipeBuilder weights(String column) {
        weights = Optional.of(column);
        return this;
    }

    /** Sets the column of a number that is added to each row's score, without a coefficient to learn. */
    public RecipeBuilder offset(String column) {
        offset = Optional.of(column);
        return this;
    }

    /** Sets columns that identify rows and are not learnt from. */
    public RecipeBuilder ids(List<String> columns) {
        ids.addAll(columns);
        return this;
    }

    /** Adds cells that mean a missing value, besides {@link MissingTokens#USUAL the usual ones}. */
    public RecipeBuilder missingTokens(List<String> more) {
        missingTokens.addAll(more);
        return this;
    }

    /**
     * Sets what to do about missing values in columns without a policy of their own. Levels have no mean or median: the
     * most frequent one is used instead. Missing dates are not imputed, nor are labels.
     */
    public RecipeBuilder missing(Missing usual) {
        policy = usual;
        return this;
    }

    /** Sets what to do about missing values of a column. */
    public RecipeBuilder missing(String column, Missing ofColumn) {
        policies.put(column, ofColumn);
        return this;
    }

    /** Sets what the cells of a column mean. */
    public RecipeBuilder kind(String column, Kind kind) {
        kinds.put(column, kind);
        return this;
    }

    /** Sets the levels of a column in order; the first is the reference unless another is chosen. */
    public RecipeBuilder levels(String column, List<String> inOrder) {
        levels.put(column, List.copyOf(inOrder));
        return this;
    }

    /** Sets the level of a column that others are compared with. */
    public RecipeBuilder reference(String column, String level) {
        references.put(column, level);
        return this;
    }

    /** Makes levels that occur in fewer rows than this share a feature. */
    public RecipeBuilder rareBelow(int rows) {
        rareBelow = rows;
        return this;
    }

    /** Makes unknown levels count as the reference instead of being rejected. */
    public RecipeBuilder unknownIsReference(boolean value) {
        unknownIsReference = value;
        return this;
    }

    /** Hashes the levels of a column into this many features. */
    public RecipeBuilder hash(String column, int features) {
        buckets.put(column, features);
        return this;
    }

    /** Sets whether imputed columns have a feature that is 1 where the value was missing, as they have by default. */
    public RecipeBuilder indicators(boolean value) {
        indicators = value;
        return this;
    }

    /**
     * Returns the recipe for a table.
     *
     * @throws InvalidInputException if a column that was named does not exist, or does not suit its role
     */
    public Recipe learn(Table table) {
        return learn(Survey.of(table, missingTokens), labelColumn(table));
    }

    /** The cells that mean a missing value. */
    public List<String> missingTokens() {
        return List.copyOf(missingTokens);
    }

    /** The column of the label in a table. */
    public String labelColumn(Table table) {
        Optional<Formula> parsed = formula.map(Formula::parse);
        if (label.isPresent() || parsed.isEmpty()) {
            return table.labelColumn(label);
        }
        parsed.get().labelColumns().forEach(column -> table.labelColumn(Optional.of(column)));
        return parsed.get().labelColumns().size() > 1
                ? parsed.get().label()
                : table.labelColumn(parsed.map(Formula::label));
    }

    /** Returns the recipe for rows that have already been surveyed. */
    public Recipe learn(Survey survey, String labelColumn) {
        named().forEach(survey::column);
        List<Column> columns = new ArrayList<>();
        for (String name : used(survey, labelColumn)) {
            ColumnSurvey rows = survey.column(name);
            columns.add(RecipeCompletion.complete(
                    column(rows, survey.source()), rows, survey.source(), rareBelow, indicators));
        }
        Recipe recipe = new Recipe(
                columns,
                target(survey, labelColumn),
                weights,
                offset.or(this::plainOffset),
                ids,
                missingTokens,
                formula.map(text -> RecipeCompletion.fixed(Formula.parse(text), survey)),
                false);
        // Fails at once if the formula does not fit the columns.
        recipe.features();
        return recipe;
    }

    private Target target(Survey survey, String labelColumn) {
        formula.map(Formula::parse)
                .filter(parsed -> !stratified && !parsed.strata().isEmpty())
                .ifPresent(parsed -> {
                    throw new InvalidInputException(survey.source() + ": strata("
                            + String.join(", ", parsed.strata()) + ") goes with times to an event or, as in the loss"
                            + " stratified(poisson), with an intercept for every stratum; leave it out");
                });
        formula.map(Formula::parse)
                .filter(parsed -> !clustered && !parsed.clusters().isEmpty())
                .ifPresent(parsed -> {
                    throw new InvalidInputException(survey.source() + ": cluster("
                            + String.join(", ", parsed.clusters())
                            + ") is for studies between sites; on one machine, give"
                            + " glm --cluster " + parsed.clusters().get(0));
                });
        Optional<Formula> parsed = formula.map(Formula::parse);
        Missing missing = Stream.of(
                        List.of(labelColumn),
                        parsed.map(Formula::labelColumns).orElse(List.of()),
                        parsed.map(Formula::strata).orElse(List.of()),
                        parsed.map(Formula::clusters).orElse(List.of()))
                .flatMap(List::stream)
                .filter(policies::containsKey)
                .map(policies::get)
                .findFirst()
                .orElse(policy == Missing.DROP ? policy : Missing.REFUSE);
        if (parsed.flatMap(Formula::status).isPresent()) {
            if (classes) {
                throw new InvalidInputException(survey.source() + ": " + labelColumn
                        + " is a time to an event, but the loss predicts classes; use the loss cox");
            }
            return new Target(labelColumn, List.of(), missing);
        }
        if (parsed.flatMap(Formula::failures).isPresent()) {
            if (shares) {
                return new Target(labelColumn, List.of(), missing);
            }
            if (!classes) {
                throw new InvalidInputException(survey.source() + ": " + labelColumn
                        + " counts two outcomes, but the loss predicts numbers; use a classification loss");
            }
            Formula counts = parsed.get();
            return new Target(
                    labelColumn,
                    List.of(counts.failures().get(), counts.response().column()),
                    missing);
        }
        if (classes && parsed.filter(formula -> !formula.response().isPlain()).isPresent()) {
            throw new InvalidInputException(
                    survey.source() + ": " + parsed.get().response()
                            + " is a number to predict, but the loss predicts classes; use a regression loss");
        }
        ColumnSurvey rows = survey.column(labelColumn);
        requireClear(rows, survey.source());
        Target target = new Target(labelColumn, List.of(), missing);
        return ordered(
                classes && kinds.get(labelColumn) == Kind.CATEGORICAL && rows.present() > 0
                        ? RecipeCompletion.withAllClasses(target, rows, survey.source())
                        : RecipeCompletion.complete(target, rows, survey.source(), classes),
                survey.source());
    }

    /** The target with its classes in the order that was asked for, if one was. */
    private Target ordered(Target target, String source) {
        List<String> wanted = levels.getOrDefault(target.column(), target.classes());
        if (wanted.size() != target.classes().size() || !wanted.containsAll(target.classes())) {
            throw new InvalidInputException(source + ": the levels " + String.join(",", wanted) + " of label column '"
                    + target.column() + "' are not its classes " + String.join(",", target.classes()));
        }
        return new Target(target.column(), wanted, target.missing());
    }

    /** The offset of the formula, if there is one and it is a column. */
    private Optional<String> plainOffset() {
        List<Factor> offsets =
                formula.map(text -> Formula.parse(text).offsets()).orElse(List.of());
        return offsets.size() == 1 && offsets.get(0).isPlain()
                ? Optional.of(offsets.get(0).column())
                : Optional.empty();
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
        others.addAll(formula.map(text -> Formula.parse(text).labelColumns()).orElse(List.of(labelColumn)));
        List<String> usable = survey.names().stream()
                .filter(name ->
                        !others.contains(name) && (keep.isEmpty() ? !Table.namesRows(name) : keep.contains(name)))
                .toList();
        if (formula.isEmpty()) {
            return usable;
        }
        Set<String> inFormula = new LinkedHashSet<>();
        Formula parsed = Formula.parse(formula.get());
        parsed.mentioned().forEach(column -> requireColumn(survey, column));
        for (Term term : parsed.terms(usable)) {
            term.factors().forEach(factor -> inFormula.add(factor.column()));
        }
        return survey.names().stream().filter(inFormula::contains).toList();
    }

    /** Refuses a name that is no column, and tells how a column with a sign in its name is written. */
    private static void requireColumn(Survey survey, String name) {
        List<String> signed = survey.names().stream()
                .filter(column -> column.matches("(?s).*[^\\p{L}\\p{N}._].*")
                        && Arrays.asList(column.split("[^\\p{L}\\p{N}._]+")).contains(name))
                .toList();
        if (!survey.names().contains(name) && !signed.isEmpty()) {
            throw new InvalidInputException(survey.source() + ": unknown column '" + name + "'; did you mean `"
                    + signed.get(0) + "`, in backticks because of the signs in its name?");
        }
        survey.column(name);
    }

    /** Refuses a column whose kind would be a guess, unless something was said about it. */
    private void requireClear(ColumnSurvey rows, String source) {
        if (!kinds.containsKey(rows.name()) && !hasLevels(rows.name())) {
            rows.doubt().ifPresent(doubt -> {
                throw new InvalidInputException(source + ": " + doubt);
            });
        }
    }

    private boolean hasLevels(String name) {
        return buckets.containsKey(name) || references.containsKey(name) || levels.containsKey(name);
    }

    private boolean isFactor(String name) {
        return formula.stream()
                .flatMap(text -> Formula.parse(text).right().factors())
                .anyMatch(factor -> factor.column().equals(name) && factor.function() == Factor.Function.FACTOR);
    }

    private Column column(ColumnSurvey rows, String source) {
        requireClear(rows, source);
        String name = rows.name();
        Kind kind = kinds.getOrDefault(
                name,
                hasLevels(name) || isFactor(name)
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
        return kind.isDate() ? Missing.REFUSE : Missing.MOST_FREQUENT;
    }
}
