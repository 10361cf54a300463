package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Kind;
import dev.starling.table.Missing;
import dev.starling.table.Recipe;
import dev.starling.table.RecipeBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import picocli.CommandLine.Option;

/** What the columns of a CSV file mean and which of them are used, where that is not inferred. */
public final class ColumnOptions {

    @Option(
            names = "--formula",
            paramLabel = "FORMULA",
            description = "Features to make of the columns, as in 'y ~ age + sex + log(income) + age:sex'.")
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
            description = "Do not use these columns, separated by commas.")
    private List<String> drop = List.of();

    @Option(
            names = "--missing",
            paramLabel = "POLICY",
            completionCandidates = Candidates.OfMissing.class,
            description = "What to do about missing values: refuse (default), drop (their rows), mean, median or"
                    + " most-frequent. COLUMN=POLICY says it for one column; may be repeated.")
    private List<String> missing = List.of();

    @Option(
            names = "--missing-token",
            paramLabel = "TEXT",
            description = "A cell that means a missing value, besides an empty one, NA and ?; may be repeated.")
    private List<String> missingTokens = List.of();

    @Option(
            names = "--kind",
            paramLabel = "COLUMN=KIND",
            description = "numeric, categorical, ordered, boolean or date, where it is not what it looks like; may be"
                    + " repeated.")
    private List<String> kinds = List.of();

    @Option(
            names = "--levels",
            paramLabel = "COLUMN=A,B,C",
            description = "The levels of a column in their order; may be repeated.")
    private List<String> levels = List.of();

    @Option(
            names = "--reference",
            paramLabel = "COLUMN=LEVEL",
            description = "The level that the others are compared with (default: the first); may be repeated.")
    private List<String> references = List.of();

    @Option(
            names = "--rare",
            paramLabel = "N",
            defaultValue = "0",
            description = "Levels that fewer than N rows have share one feature.")
    private int rare;

    @Option(
            names = "--unknown",
            paramLabel = "WAY",
            completionCandidates = Candidates.OfUnknown.class,
            defaultValue = "refuse",
            description = "Levels that prediction meets for the first time: refuse (default) or reference, which treats"
                    + " them as the reference level.")
    private String unknown;

    @Option(
            names = "--hash",
            paramLabel = "COLUMN=N",
            description = "Spread a column with very many levels over N features by their hash; may be repeated.")
    private List<String> hashes = List.of();

    @Option(names = "--weights-column", paramLabel = "COLUMN", description = "Column with the weights of the rows.")
    private String weightsColumn;

    @Option(
            names = "--offset-column",
            paramLabel = "COLUMN",
            description = "Column with numbers that are added to the rows' scores, in training and in prediction.")
    private String offsetColumn;

    @Option(
            names = "--id-column",
            paramLabel = "COLUMN",
            description = "Column that tells rows apart and is not learnt from; may be repeated.")
    private List<String> ids = List.of();

    /** Refuses what needs no data to be refused. */
    public void check() {
        if (!Candidates.UNKNOWN.contains(unknown)) {
            throw InvalidInputException.unknownName("--unknown", unknown, Candidates.UNKNOWN);
        }
        if (rare < 0) {
            throw new InvalidInputException("--rare " + rare + " must be 0 or more");
        }
        builder();
    }

    /** The columns that tell rows apart. */
    public List<String> ids() {
        return ids;
    }

    /** Whether any of them says anything. */
    public boolean areGiven() {
        return formula != null
                || weightsColumn != null
                || offsetColumn != null
                || rare > 0
                || !unknown.equals("refuse")
                || List.of(keep, drop, missing, missingTokens, kinds, levels, references, hashes, ids).stream()
                        .anyMatch(list -> !list.isEmpty());
    }

    /** What the options say, for rows to fill in the rest. */
    public RecipeBuilder builder() {
        RecipeBuilder builder = Recipe.builder()
                .keep(keep)
                .drop(drop)
                .ids(ids)
                .missingTokens(missingTokens)
                .rareBelow(rare)
                .unknownIsReference(unknown.equals("reference"));
        Optional.ofNullable(formula).ifPresent(builder::formula);
        Optional.ofNullable(weightsColumn).ifPresent(builder::weights);
        Optional.ofNullable(offsetColumn).ifPresent(builder::offset);
        for (String policy : missing) {
            int equals = policy.lastIndexOf('=');
            if (equals < 0) {
                builder.missing(Missing.named(policy));
            } else {
                builder.missing(policy.substring(0, equals), Missing.named(policy.substring(equals + 1)));
            }
        }
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
                throw new InvalidInputException(option + " '" + pair + "' must be a column, '=' and what it is to be");
            }
            take.accept(pair.substring(0, equals), pair.substring(equals + 1));
        }
    }
}
