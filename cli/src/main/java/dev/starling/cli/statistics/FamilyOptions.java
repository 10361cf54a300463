package dev.starling.cli.statistics;

import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Losses;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The family of distributions and its link. */
@Under(Section.OBJECTIVE)
final class FamilyOptions {

    /** A family with the links it can have, its usual one first. */
    private record Family(String name, List<String> links) {}

    private static final List<Family> ALL = List.of(
            new Family("gaussian", List.of("identity")),
            new Family("binomial", List.of("logit", "probit", "cloglog")),
            new Family("poisson", List.of("log")),
            new Family("gamma", List.of("log")),
            new Family("inverse-gaussian", List.of("log")),
            new Family("negative-binomial", List.of("log")),
            new Family("tweedie", List.of("log")),
            new Family("quasi-poisson", List.of("log")),
            new Family("quasi-binomial", List.of("logit")));

    private static final String MULTINOMIAL = "multinomial";
    private static final String ORDINAL = "ordinal";

    private static final List<String> NAMES = Stream.concat(
                    ALL.stream().map(Family::name), Stream.of(MULTINOMIAL, ORDINAL))
            .toList();

    @Option(
            names = "--family",
            paramLabel = "FAMILY",
            defaultValue = "gaussian",
            description = "Family of distributions: gaussian (the default), binomial, poisson, gamma, inverse-gaussian,"
                    + " negative-binomial(K), or without K to estimate it, tweedie(P), quasi-poisson, quasi-binomial; for"
                    + " several classes multinomial, or ordinal if they have an order.")
    private String family;

    @Option(
            names = "--link",
            paramLabel = "LINK",
            description = "Link: logit, probit or cloglog for binomial; the others have one each.")
    private String link;

    /** Whether the size of a negative binomial is to be estimated. */
    boolean searchesSize() {
        return family.strip().equals("negative-binomial");
    }

    /** Whether the family is one of several classes. */
    boolean hasClasses() {
        if (family.equals(MULTINOMIAL) || family.equals(ORDINAL)) {
            if (link != null && !link.equals("logit")) {
                throw new InvalidInputException(
                        "--link " + link + " does not go with --family " + family + "; it takes logit");
            }
            return true;
        }
        return false;
    }

    /** Whether these have an order. */
    boolean isOrdinal() {
        return family.equals(ORDINAL);
    }

    /** The loss that was asked for. */
    Likelihood loss() {
        int open = family.indexOf('(');
        String bare = (open < 0 ? family : family.substring(0, open)).strip();
        Family found = ALL.stream()
                .filter(one -> one.name.equals(bare))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName("family", bare, NAMES));
        String chosen = Optional.ofNullable(link).orElse(found.links.get(0));
        if (!found.links.contains(chosen)) {
            throw new InvalidInputException("--link " + chosen + " does not go with --family " + family + "; it takes "
                    + String.join(", ", found.links));
        }
        String name = chosen.equals(found.links.get(0)) ? family : family + "(" + chosen + ")";
        return (Likelihood) Losses.named(name);
    }
}
