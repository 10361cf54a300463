package dev.starling.settings;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How exactly the values of rows are kept. */
public enum Precision {
    /** As they are: floats where all values are exact in floats, doubles elsewhere. */
    EXACT,

    /** Rounded to floats, which take half the memory of doubles; what is proven is then about the rounded rows. */
    FLOAT;

    /** The rows as they are kept. */
    public Dataset apply(Dataset rows) {
        return this == FLOAT ? rows.inFloats() : rows;
    }

    /** The name in settings. */
    public String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The precision with a name. */
    public static Precision named(String name) {
        return InvalidInputException.named("precision", name, Arrays.asList(values()), Precision::lowerCase);
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Precision::lowerCase).toList();
    }
}
