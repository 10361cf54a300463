package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.recipe.Target;
import dev.starling.table.CellParsing;
import dev.starling.table.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the columns of a CSV file mean and which of them are used, if that is not to be inferred. */
@Under(Section.COLUMNS)
public final class ColumnOptions {

    @Option(
            names = "--formula",
            paramLabel = "FORMULA",
            description = "Label and features, as in 'y ~ age + log(income) + age:sex'.")
    private String formula;

    @Option(
            names = "--keep",
            paramLabel = "COLUMNS",
            split = ",",
            description = "Use only these columns, separated by commas.")
    private List<String> keep = List.of();

    @Option(
            names = "--drop",
            paramLabel = "COLUMNS",
            split = ",",
            description = "Leave out these columns, separated by commas.")
    private List<String> drop = List.of();

    @Mixin
    private MissingOptions missing = new MissingOptions();

    @Option(
            names = "--no-indicators",
            description = "Impute missing values without a feature that is 1 where a value was missing.")
    private boolean noIndicators;

    @Option(
            names = "--kind",
            paramLabel = "COLUMN=KIND",
            description = "Kind of a column that is not what it looks like: numeric, categorical, ordered, boolean,"
                    + " date, date-dmy (29/02/2024) or date-mdy; may be repeated.")
    private List<String> kinds = List.of();

    @Option(
            names = "--levels",
            paramLabel = "COLUMN=A,B,C",
            description = "Levels of a column, in order; may be repeated.")
    private List<String> levels = List.of();

    @Option(
            names = "--reference",
            paramLabel = "COLUMN=LEVEL",
            description = "Level of a column that the others are compared with (default: the first); may be repeated.")
    private List<String> references = List.of();

    @Option(
            names = "--rare",
            paramLabel = "N",
            defaultValue = "0",
            description = "Combine levels that fewer than N rows have into one feature.")
    private int rare;

    @Option(
            names = "--unknown",
            paramLabel = "WAY",
            completionCandidates = CompletionCandidates.OfUnknown.class,
            defaultValue = "refuse",
            description = "What to do about levels that first appear in prediction: refuse (default) or reference,"
                    + " which treats them as the reference level.")
    private String unknown;

    @Option(
            names = "--hash",
            paramLabel = "COLUMN=N",
            description = "Hash the levels of a column that has very many of them into N features; may be repeated.")
    private List<String> hashes = List.of();

    @Under(Section.READING)
    @Option(names = "--weights-column", paramLabel = "COLUMN", description = "Column with the weights of the rows.")
    private String weightsColumn;

    @Under(Section.READING)
    @Option(
            names = "--offset-column",
            paramLabel = "COLUMN",
            description = "Column with numbers that are added to the scores of rows, in training and in prediction.")
    private String offsetColumn;

    @Under(Section.READING)
    @Option(
            names = "--id-column",
            paramLabel = "COLUMN",
            description = "Column that identifies rows and is not learnt from; may be repeated.")
    private List<String> ids = List.of();

    /** Takes the formula that a command has as a parameter of its own. */
    public void formula(String given) {
        if (formula != null) {
            throw new InvalidInputException(
                    "--formula " + formula + " and the formula " + given + "; give one of them");
        }
        formula = given;
    }

    /** Refuses what can be refused before the data is read. */
    public void check() {
        if (!CompletionCandidates.UNKNOWN.contains(unknown)) {
            throw InvalidInputException.unknownName("--unknown", unknown, CompletionCandidates.UNKNOWN);
        }
        if (rare < 0) {
            throw new InvalidInputException("--rare " + rare + " must be 0 or more");
        }
        builder();
    }

    /** Refuses a second source of weights. */
    public void requireNoWeights(String other) {
        if (weightsColumn != null) {
            throw new InvalidInputException(
                    other + " and --weights-column " + weightsColumn + " both say what rows count; give one of them");
        }
    }

    /** The columns that identify rows. */
    public List<String> ids() {
        return ids;
    }

    /** Refuses words as classes in an order, unless that is given. */
    public void requireOrder(Target target, String source) {
        boolean given = levels.stream().anyMatch(pair -> pair.startsWith(target.column() + "="));
        if (!given && target.classes().stream().anyMatch(name -> Double.isNaN(CellParsing.number(name)))) {
            throw new InvalidInputException(source + ": the classes of '" + target.column()
                    + "' are words, which have no order of their own; give it as in --levels " + target.column() + "="
                    + String.join(",", target.classes()));
        }
    }

    /** Whether something is said about the kind of a column. */
    boolean declare(String column) {
        return kinds.stream().anyMatch(pair -> pair.startsWith(column + "="));
    }

    /** Whether a formula says what is predicted. */
    boolean haveFormula() {
        return formula != null;
    }

    /** What means a missing value, and what to do about it. */
    public MissingOptions missing() {
        return missing;
    }

    /** Whether any of these options is given. */
    public boolean areGiven() {
        return formula != null
                || weightsColumn != null
                || offsetColumn != null
                || noIndicators
                || rare > 0
                || !unknown.equals("refuse")
                || missing.areGiven()
                || List.of(keep, drop, kinds, levels, references, hashes, ids).stream()
                        .anyMatch(list -> !list.isEmpty());
    }

    /** Returns a builder with what the options say; the rest is learnt from rows. */
    public RecipeBuilder builder() {
        RecipeBuilder builder = Recipe.builder()
                .keep(keep)
                .drop(drop)
                .ids(ids)
                .rareBelow(rare)
                .unknownIsReference(unknown.equals("reference"))
                .indicators(!noIndicators);
        Optional.ofNullable(formula).ifPresent(builder::formula);
        Optional.ofNullable(weightsColumn).ifPresent(builder::weights);
        Optional.ofNullable(offsetColumn).ifPresent(builder::offset);
        missing.applyTo(builder);
        pairs("--kind", kinds, (column, kind) -> builder.kind(column, Kind.named(kind)));
        pairs("--levels", levels, (column, list) -> builder.levels(column, Arrays.asList(list.split(",", -1))));
        pairs("--reference", references, builder::reference);
        pairs("--hash", hashes, (column, number) -> builder.hash(column, features(column, number)));
        return builder;
    }

    private static int features(String column, String number) {
        if (!number.matches("[1-9][0-9]{0,8}")) {
            throw new InvalidInputException(
                    "--hash " + column + "=" + number + " must name a column and a number of features");
        }
        return Integer.parseInt(number);
    }

    private static void pairs(String option, List<String> pairs, BiConsumer<String, String> take) {
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new InvalidInputException(
                        option + " '" + pair + "' must be a column and a value, with '=' between them");
            }
            take.accept(pair.substring(0, equals), pair.substring(equals + 1));
        }
    }
}
