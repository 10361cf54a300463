package dev.starling.table;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the cells of a column mean. */
public enum Kind {
    /** Numbers: one feature. */
    NUMERIC,
    /** Levels without an order: a feature for each but the reference. */
    CATEGORICAL,
    /** Levels with an order: a feature for each but the lowest, which is 1 from that level on. */
    ORDERED,
    /** Yes or no, in one of the usual spellings: a feature that is 1 for yes. */
    BOOLEAN,
    /** Dates such as 2024-02-29, 2024/2/29 or 29.2.2024: one feature, the days since 1970. */
    DATE,
    /** Dates such as 29/2/2024 or 29-2-2024: one feature, the days since 1970. */
    DATE_DMY,
    /** Dates such as 2/29/2024 or 2-29-2024: one feature, the days since 1970. */
    DATE_MDY;

    /** The kinds of dates. */
    static final List<Kind> DATES = List.of(DATE, DATE_DMY, DATE_MDY);

    /** The name in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether each cell holds a date. */
    public boolean isDate() {
        return DATES.contains(this);
    }

    /** Whether each cell holds one of several levels. */
    public boolean hasLevels() {
        return this == CATEGORICAL || this == ORDERED || this == BOOLEAN;
    }

    /**
     * Returns the kind with the given name.
     *
     * @throws InvalidInputException if there is none
     */
    public static Kind named(String name) {
        return InvalidInputException.named("kind", name, Arrays.asList(values()), Kind::text);
    }
}
