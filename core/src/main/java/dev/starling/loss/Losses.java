package dev.starling.loss;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Supplier;

/** The list of all losses, by their names in settings and model files. */
public final class Losses {

    private static final List<Family> ALL = List.of(
            new Family("logistic", Logistic::new),
            new Family("softmax", Softmax::new),
            new Family("squared", Squared::new),
            new Family("squared-hinge", SquaredHinge::new),
            new Family("smoothed-hinge", 1, SmoothedHinge::new),
            new Family("huber", 1, Huber::new),
            new Family("poisson", Poisson::new),
            new Family("squared-epsilon-insensitive", 0.1, SquaredEpsilonInsensitive::new),
            new Family("hinge", Hinge::new),
            new Family("absolute", Absolute::new),
            new Family("epsilon-insensitive", 0.1, EpsilonInsensitive::new),
            new Family("quantile", 0.5, Quantile::new));

    private static final List<String> NAMES = ALL.stream().map(Family::name).toList();

    private Losses() {}

    /** A name, the loss it stands for by default, and, if it takes a parameter, the loss with a given parameter. */
    private record Family(String name, Supplier<Loss> byDefault, DoubleFunction<Loss> parametric) {

        Family(String name, Supplier<Loss> only) {
            this(name, only, null);
        }

        Family(String name, double defaultParameter, DoubleFunction<Loss> parametric) {
            this(name, () -> parametric.apply(defaultParameter), parametric);
        }

        Loss of(OptionalDouble parameter) {
            if (parameter.isEmpty()) {
                return byDefault.get();
            }
            if (parametric == null) {
                throw new InvalidInputException("the loss '" + name + "' takes no parameter, found "
                        + parameter.getAsDouble() + "; write " + name);
            }
            return parametric.apply(parameter.getAsDouble());
        }
    }

    /** Whether a loss has a factor 1/2 that LIBLINEAR's has not. */
    public static boolean isHalved(Loss loss) {
        return loss instanceof Squared || loss instanceof SquaredHinge || loss instanceof SquaredEpsilonInsensitive;
    }

    /** All names, without parameters. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The loss with a name, optionally with its parameter in parentheses: {@code logistic}, {@code huber},
     * {@code huber(0.5)}. The {@link Loss#name} of every loss of this package is understood and gives back an equal
     * loss.
     */
    public static Loss named(String name) {
        int open = name.indexOf('(');
        String bare = (open < 0 ? name : name.substring(0, open)).strip();
        Family family = ALL.stream()
                .filter(one -> one.name.equals(bare))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName("loss", bare, NAMES));
        return family.of(open < 0 ? OptionalDouble.empty() : parameter(name, open));
    }

    /** The link of the loss with a name; the identity if it is none of these losses. */
    public static Link link(String name) {
        try {
            return named(name).link();
        } catch (InvalidInputException e) {
            return Link.IDENTITY;
        }
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
}
