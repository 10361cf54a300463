package dev.starling.table;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.Locale;

/** What to do about the missing values of a column. */
public enum Missing {
    /** Refuse the table, saying how many there are in which column. */
    REFUSE,
    /** Leave out rows with a missing value. */
    DROP,
    /** Take the mean of the others, and add a feature that says so. */
    MEAN,
    /** Take the median of the others, and add a feature that says so. */
    MEDIAN,
    /** Take the most frequent of the others, and add a feature that says so. */
    MOST_FREQUENT;

    /** The name in lower case, words joined by hyphens. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether another value takes the place of a missing one. */
    public boolean isImputed() {
        return this != REFUSE && this != DROP;
    }

    /**
     * The policy of a name.
     *
     * @throws InvalidInputException if there is none
     */
    public static Missing named(String name) {
        return Arrays.stream(values())
                .filter(policy -> policy.text().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName(
                        "missing policy",
                        name,
                        Arrays.stream(values()).map(Missing::text).toList()));
    }
}
