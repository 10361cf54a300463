package dev.starling.loss;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.ServiceLoader;
import java.util.function.DoubleFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The list of all losses, by their names in settings and model files. A loss of your own is found by its name if its
 * class is a service provider for {@link Loss}; all nodes need the same classes.
 */
public final class Losses {

    /**
     * A loss of the list.
     *
     * @param usual its parameter if none is given; NaN if it takes none
     */
    private record Entry(String name, double usual, DoubleFunction<Loss> make) {

        static Entry of(String name, Supplier<Loss> make) {
            return new Entry(name, Double.NaN, parameter -> make.get());
        }
    }

    private static final List<Entry> ENTRIES = List.of(
            Entry.of("logistic", Logistic::new),
            Entry.of("softmax", Softmax::new),
            Entry.of("ordinal", Ordinal::new),
            Entry.of("cox", Cox::new),
            Entry.of("cox(breslow)", () -> new Cox(Ties.BRESLOW)),
            Entry.of("squared", Squared::new),
            Entry.of("squared-hinge", SquaredHinge::new),
            new Entry("smoothed-hinge", 1, SmoothedHinge::new),
            new Entry("huber", 1, Huber::new),
            Entry.of("binomial", Binomial::new),
            Entry.of("binomial(probit)", () -> new Binomial(Binomial.Curve.PROBIT, false)),
            Entry.of("binomial(cloglog)", () -> new Binomial(Binomial.Curve.CLOGLOG, false)),
            Entry.of("quasi-binomial", () -> new Binomial(Binomial.Curve.LOGIT, true)),
            Entry.of("poisson", Poisson::new),
            Entry.of("quasi-poisson", () -> new Poisson(true)),
            new Entry("negative-binomial", 1, NegativeBinomial::new),
            Entry.of("gamma", () -> new PowerVariance(PowerVariance.GAMMA)),
            Entry.of("inverse-gaussian", () -> new PowerVariance(PowerVariance.INVERSE_GAUSSIAN)),
            new Entry("tweedie", 1.5, PowerVariance::new),
            new Entry("squared-epsilon-insensitive", 0.1, SquaredEpsilonInsensitive::new),
            Entry.of("hinge", Hinge::new),
            Entry.of("absolute", Deviations::absolute),
            new Entry("epsilon-insensitive", 0.1, Deviations::epsilonInsensitive),
            new Entry("quantile", 0.5, Deviations::quantile));

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

    private static Optional<Entry> entry(String name) {
        return ENTRIES.stream().filter(one -> one.name.equals(name)).findFirst();
    }

    /** The loss of an entry, with its usual parameter unless another is given. */
    private static Loss of(Entry entry, OptionalDouble parameter) {
        if (parameter.isPresent() && Double.isNaN(entry.usual)) {
            throw new InvalidInputException("the loss '" + entry.name + "' takes no parameter, found "
                    + parameter.getAsDouble() + "; write " + entry.name);
        }
        return entry.make.apply(parameter.orElse(entry.usual));
    }

    /** Whether a loss has a factor 1/2 that LIBLINEAR's has not. */
    public static boolean isHalved(Loss loss) {
        return loss instanceof Squared || loss instanceof SquaredHinge || loss instanceof SquaredEpsilonInsensitive;
    }

    /** All names, without parameters; those of service providers last. */
    public static List<String> names() {
        return Stream.concat(ENTRIES.stream().map(Entry::name), others().map(Loss::name))
                .toList();
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
        int open = entry(name.strip()).isPresent() ? -1 : name.indexOf('(');
        String bare = (open < 0 ? name : name.substring(0, open)).strip();
        String inside =
                open < 0 ? "" : name.substring(open + 1).replace(")", "").strip();
        if (LINKS.contains(inside)) {
            return named(bare, inside);
        }
        return entry(ALIASES.getOrDefault(bare, bare))
                .map(found -> of(found, open < 0 ? OptionalDouble.empty() : parameter(name, open)))
                .or(() ->
                        others().filter(one -> one.name().equals(name.strip())).findFirst())
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
