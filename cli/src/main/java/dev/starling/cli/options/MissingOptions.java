package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.recipe.Missing;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.table.MissingTokens;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** What means a missing value, and what to do about it. */
@Under(Section.COLUMNS)
public final class MissingOptions {

    private static final String DROP = "drop";

    @Option(
            names = "--missing",
            paramLabel = "POLICY",
            completionCandidates = CompletionCandidates.OfMissing.class,
            description = "What to do about missing values: refuse (default), drop (their rows), mean, median or"
                    + " most-frequent. COLUMN=POLICY applies to one column; may be repeated.")
    private List<String> policies = List.of();

    @Option(
            names = "--missing-token",
            paramLabel = "TEXT",
            description =
                    "Text that marks a missing value, in addition to an empty cell, NA, NULL, NaN and the like; may be"
                            + " repeated.")
    private List<String> tokens = List.of();

    boolean areGiven() {
        return !policies.isEmpty() || !tokens.isEmpty();
    }

    /** Whether rows with a missing value in one of some columns are left out. */
    public boolean dropRows(List<String> columns) {
        return policies.contains(DROP) || columns.stream().anyMatch(column -> policies.contains(column + "=" + DROP));
    }

    /** The texts that mean a missing value. */
    public MissingTokens tokens() {
        return new MissingTokens(
                Stream.concat(MissingTokens.USUAL.stream(), tokens.stream()).toList());
    }

    /** Whether rows with a missing value are left out, where no value can be made up. */
    public boolean dropRows() {
        for (String policy : policies) {
            if (!List.of("refuse", DROP).contains(policy)) {
                throw InvalidInputException.unknownName("--missing", policy, List.of("refuse", DROP));
            }
        }
        return dropRows(List.of());
    }

    void applyTo(RecipeBuilder builder) {
        builder.missingTokens(tokens);
        for (String given : policies) {
            int equals = given.lastIndexOf('=');
            if (equals < 0) {
                builder.missing(Missing.named(given));
            } else {
                builder.missing(given.substring(0, equals), Missing.named(given.substring(equals + 1)));
            }
        }
    }
}
