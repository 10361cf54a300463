package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** Choices as users write them: in lower case. */
public final class Names {

    private Names() {}

    /**
     * The value of a name.
     *
     * @param kind what to call it in the message that there is no such name
     * @throws InvalidInputException if there is none
     */
    public static <E extends Enum<E>> E parse(Class<E> type, String kind, String name) {
        List<String> names = new ArrayList<>();
        for (E value : EnumSet.allOf(type)) {
            String written = value.name().toLowerCase(Locale.ROOT);
            if (written.equals(name.toLowerCase(Locale.ROOT))) {
                return value;
            }
            names.add(written);
        }
        throw InvalidInputException.unknownName(kind, name, names);
    }
}
