package dev.starling.loss;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.OptionalDouble;

/** The losses by the names they have on the command line and in model files. */
public final class Losses {

    private static final List<String> NAMES = List.of(
            "logistic",
            "squared",
            "squared-hinge",
            "smoothed-hinge",
            "huber",
            "squared-epsilon-insensitive",
            "hinge",
            "absolute",
            "epsilon-insensitive",
            "quantile");

    private Losses() {}

    /** The names there are, without parameters. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The loss of a name, with its parameter in parentheses if it has one: {@code logistic}, {@code huber},
     * {@code huber(0.5)}. The {@link Loss#name} of every loss of this package gives that loss back.
     */
    public static Loss named(String name) {
        int open = name.indexOf('(');
        String bare = (open < 0 ? name : name.substring(0, open)).strip();
        if (!NAMES.contains(bare)) {
            throw InvalidInputException.unknownName("loss", bare, NAMES);
        }
        OptionalDouble parameter = open < 0 ? OptionalDouble.empty() : parameter(name, open);
        return parameter.isPresent() ? withParameter(bare, parameter.getAsDouble()) : withDefault(bare);
    }

    private static OptionalDouble parameter(String name, int open) {
        String rest = name.substring(open + 1).strip();
        if (rest.endsWith(")")) {
            try {
                return OptionalDouble.of(Double.parseDouble(rest.substring(0, rest.length() - 1)));
            } catch (NumberFormatException e) {
                throw new InvalidInputException(badParameter(name), e);
            }
        }
        throw new InvalidInputException(badParameter(name));
    }

    private static String badParameter(String name) {
        return "the loss '" + name + "' has no number in its parentheses; write for example huber(0.5)";
    }

    private static Loss withDefault(String bare) {
        return switch (bare) {
            case "logistic" -> new Logistic();
            case "squared" -> new Squared();
            case "squared-hinge" -> new SquaredHinge();
            case "smoothed-hinge" -> new SmoothedHinge();
            case "huber" -> new Huber();
            case "squared-epsilon-insensitive" -> new SquaredEpsilonInsensitive();
            case "hinge" -> new Hinge();
            case "absolute" -> new Absolute();
            case "epsilon-insensitive" -> new EpsilonInsensitive();
            case "quantile" -> new Quantile();
            default -> throw InvalidInputException.unknownName("loss", bare, NAMES);
        };
    }

    private static Loss withParameter(String bare, double parameter) {
        return switch (bare) {
            case "smoothed-hinge" -> new SmoothedHinge(parameter);
            case "huber" -> new Huber(parameter);
            case "squared-epsilon-insensitive" -> new SquaredEpsilonInsensitive(parameter);
            case "epsilon-insensitive" -> new EpsilonInsensitive(parameter);
            case "quantile" -> new Quantile(parameter);
            default ->
                throw new InvalidInputException(
                        "the loss '" + bare + "' takes no parameter, found " + parameter + "; write " + bare);
        };
    }
}
