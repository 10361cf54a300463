package dev.starling.table;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.Locale;

/** What the cells of a column mean. */
public enum Kind {
    /** Numbers: one feature. */
    NUMERIC,
    /** Levels without an order: a feature for each but the reference. */
    CATEGORICAL,
    /** Levels with an order: a feature for each but the lowest, 1 from that level on. */
    ORDERED,
    /** Yes or no, in one of the usual spellings: a feature that is 1 for yes. */
    BOOLEAN,
    /** Days as in 2024-02-29: one feature, the days since 1970. */
    DATE;

    /** The name in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether cells are one of several levels. */
    public boolean hasLevels() {
        return this == CATEGORICAL || this == ORDERED || this == BOOLEAN;
    }

    /**
     * The kind of a name.
     *
     * @throws InvalidInputException if there is none
     */
    public static Kind named(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.text().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName(
                        "kind", name, Arrays.stream(values()).map(Kind::text).toList()));
    }
}
