package dev.starling.loss;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The list of all losses, by their names in settings and model files. A loss of your own is found by its name if its
 * class is a service provider for {@link Loss}; all nodes need the same classes.
 */
public final class Losses {

    private static final List<String> NAMES = List.of(
            "logistic",
            "softmax",
            "ordinal",
            "cox",
            "cox(breslow)",
            "squared",
            "squared-hinge",
            "smoothed-hinge",
            "huber",
            "binomial",
            "binomial(probit)",
            "binomial(cloglog)",
            "quasi-binomial",
            "poisson",
            "quasi-poisson",
            "negative-binomial",
            "gamma",
            "inverse-gaussian",
            "tweedie",
            "squared-epsilon-insensitive",
            "hinge",
            "absolute",
            "epsilon-insensitive",
            "quantile");

    /** Those that take a parameter. */
    private static final Set<String> PARAMETRIC = Set.of(
            "smoothed-hinge",
            "huber",
            "negative-binomial",
            "tweedie",
            "squared-epsilon-insensitive",
            "epsilon-insensitive",
            "quantile");

    /**
     * What statistics calls a loss that has another name here: by its family, or by a link that only one family has.
     */
    private static final Map<String, String> ALIASES = Map.of(
            "gaussian", "squared",
            "multinomial", "softmax",
            "logit", "binomial",
            "probit", "binomial(probit)",
            "cloglog", "binomial(cloglog)");

    /** The links by the names that statistics has for them. */
    private static final List<String> LINKS = List.of("logit", "probit", "cloglog", "log", "identity");

    private Losses() {}

    /** The loss with one of the names, with its usual parameter unless another is given. */
    private static Loss of(String name, OptionalDouble parameter) {
        if (parameter.isPresent() && !PARAMETRIC.contains(name)) {
            throw new InvalidInputException(
                    "the loss '" + name + "' takes no parameter, found " + parameter.getAsDouble() + "; write " + name);
        }
        return switch (name) {
            case "logistic" -> new Logistic();
            case "softmax" -> new Softmax();
            case "ordinal" -> new Ordinal();
            case "cox" -> new Cox();
            case "cox(breslow)" -> new Cox(Ties.BRESLOW);
            case "squared" -> new Squared();
            case "squared-hinge" -> new SquaredHinge();
            case "smoothed-hinge" -> new SmoothedHinge(parameter.orElse(1));
            case "huber" -> new Huber(parameter.orElse(1));
            case "binomial" -> new Binomial();
            case "binomial(probit)" -> new Binomial(Binomial.Curve.PROBIT, false);
            case "binomial(cloglog)" -> new Binomial(Binomial.Curve.CLOGLOG, false);
            case "quasi-binomial" -> new Binomial(Binomial.Curve.LOGIT, true);
            case "poisson" -> new Poisson();
            case "quasi-poisson" -> new Poisson(true);
            case "negative-binomial" -> new NegativeBinomial(parameter.orElse(1));
            case "gamma" -> new PowerVariance(PowerVariance.GAMMA);
            case "inverse-gaussian" -> new PowerVariance(PowerVariance.INVERSE_GAUSSIAN);
            case "tweedie" -> new PowerVariance(parameter.orElse(1.5));
            case "squared-epsilon-insensitive" -> new SquaredEpsilonInsensitive(parameter.orElse(0.1));
            case "hinge" -> new Hinge();
            case "absolute" -> Deviations.absolute();
            case "epsilon-insensitive" -> Deviations.epsilonInsensitive(parameter.orElse(0.1));
            case "quantile" -> Deviations.quantile(parameter.orElse(0.5));
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Whether a loss has a factor 1/2 that LIBLINEAR's has not. */
    public static boolean isHalved(Loss loss) {
        return loss instanceof Squared || loss instanceof SquaredHinge || loss instanceof SquaredEpsilonInsensitive;
    }

    /** All names, without parameters; those of service providers last. */
    public static List<String> names() {
        return Stream.concat(NAMES.stream(), others().map(Loss::name)).toList();
    }

    private static Stream<Loss> others() {
        return ServiceLoader.load(Loss.class).stream().map(ServiceLoader.Provider::get);
    }

    /**
     * The loss with a name, optionally with its parameter in parentheses: {@code logistic}, {@code huber},
     * {@code huber(0.5)}, or that of a family with its link: {@code poisson(log)}. The {@link Loss#name} of every loss
     * of this package is understood and gives back an equal loss.
     */
    public static Loss named(String name) {
        if (name.strip().startsWith(Stratified.NAME)) {
            return Stratified.named(name);
        }
        int open = NAMES.contains(name.strip()) ? -1 : name.indexOf('(');
        String bare = (open < 0 ? name : name.substring(0, open)).strip();
        String inside =
                open < 0 ? "" : name.substring(open + 1).replace(")", "").strip();
        if (LINKS.contains(inside)) {
            return named(bare, inside);
        }
        String meant = ALIASES.getOrDefault(bare, bare);
        return NAMES.contains(meant)
                ? of(meant, open < 0 ? OptionalDouble.empty() : parameter(name, open))
                : others().filter(one -> one.name().equals(name.strip()))
                        .findFirst()
                        .orElseThrow(() -> InvalidInputException.unknownName("loss", bare, names()));
    }

    /**
     * The loss of a family, as in {@link #named(String)}, with a link as statistics calls it.
     *
     * @throws InvalidInputException if the family has no such link
     */
    public static Loss named(String family, String link) {
        List<Loss> links = Stream.concat(
                        Stream.of(family), names().stream().filter(name -> name.startsWith(family + "(")))
                .map(Losses::named)
                .toList();
        return links.stream()
                .filter(loss -> loss.link().ofStatistics().equals(link))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException("the link " + link + " does not go with " + family
                        + "; it takes "
                        + links.stream()
                                .map(loss -> loss.link().ofStatistics())
                                .distinct()
                                .collect(Collectors.joining(", "))));
    }

    /** The loss with a name; empty if it is none of these losses. */
    public static Optional<Loss> find(String name) {
        try {
            return Optional.of(named(name));
        } catch (InvalidInputException e) {
            return Optional.empty();
        }
    }

    /** The link of the loss with a name; the identity if it is none of these losses. */
    public static Link link(String name) {
        return find(name).map(Loss::link).orElse(Link.IDENTITY);
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
