package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** The names of enum constants as users write them: in lower case. */
public final class EnumNames {

    private EnumNames() {}

    /**
     * Returns the constant with a name.
     *
     * @param kind what to call the choice in the message
     * @throws InvalidInputException if there is no constant with this name
     */
    public static <E extends Enum<E>> E parse(Class<E> type, String kind, String name) {
        return EnumSet.allOf(type).stream()
                .filter(value -> value.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName(kind, name, all(type)));
    }

    /** The names of all constants. */
    public static <E extends Enum<E>> List<String> all(Class<E> type) {
        return EnumSet.allOf(type).stream()
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
    }
}
