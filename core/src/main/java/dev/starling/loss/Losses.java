package dev.starling.loss;

import dev.starling.data.InvalidInputException;
import java.util.List;

/** The losses by the names they have on the command line and in model files. */
public final class Losses {

    private static final List<String> NAMES = List.of("logistic", "squared");

    private Losses() {}

    /** The names there are, without parameters. */
    public static List<String> names() {
        return NAMES;
    }

    /** The loss of a name: {@code logistic}, {@code squared}. */
    public static Loss named(String name) {
        return switch (name) {
            case "logistic" -> new Logistic();
            case "squared" -> new Squared();
            default -> throw InvalidInputException.unknownName("loss", name, NAMES);
        };
    }
}
