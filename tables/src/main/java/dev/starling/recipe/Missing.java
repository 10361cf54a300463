package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.Locale;

/** What to do about the missing values of a column. */
public enum Missing {
    /** Reject the table, with a message that counts them by column. */
    REFUSE,
    /** Leave out rows with a missing value. */
    DROP,
    /** Replace them with the mean of the others, and add a feature that indicates them. */
    MEAN,
    /** Replace them with the median of the others, and add a feature that indicates them. */
    MEDIAN,
    /** Replace them with the most frequent of the others, and add a feature that indicates them. */
    MOST_FREQUENT;

    /** The name in lower case, words joined by hyphens. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether missing values are replaced. */
    public boolean isImputed() {
        return this != REFUSE && this != DROP;
    }

    /**
     * Returns the policy with the given name.
     *
     * @throws InvalidInputException if there is none
     */
    public static Missing named(String name) {
        return InvalidInputException.named("missing policy", name, Arrays.asList(values()), Missing::text);
    }
}
