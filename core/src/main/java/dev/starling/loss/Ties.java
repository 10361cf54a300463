package dev.starling.loss;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Locale;

/** What a Cox regression assumes of events at the same time. */
public enum Ties {
    /** That they happened one after another, in any order. */
    EFRON,
    /** That each of them happened while all were still at risk. */
    BRESLOW;

    /** The way with a name. */
    public static Ties named(String name) {
        for (Ties one : values()) {
            if (one.text().equals(name)) {
                return one;
            }
        }
        throw InvalidInputException.unknownName("ties", name, List.of("efron", "breslow"));
    }

    /** Its name. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
