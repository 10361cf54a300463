package dev.starling.cli.statistics;

import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import java.util.List;
import picocli.CommandLine.Option;

/** The family of distributions and its link. */
@Under(Section.OBJECTIVE)
final class FamilyOptions {

    private static final String MULTINOMIAL = "multinomial";
    private static final String ORDINAL = "ordinal";

    private static final List<String> NAMES = List.of(
            "gaussian",
            "binomial",
            "poisson",
            "gamma",
            "inverse-gaussian",
            "negative-binomial",
            "tweedie",
            "quasi-poisson",
            "quasi-binomial",
            MULTINOMIAL,
            ORDINAL);

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
        return loss().outputs() > 1;
    }

    /** Whether these have an order. */
    boolean isOrdinal() {
        return family.equals(ORDINAL);
    }

    /** The loss that was asked for. */
    Loss loss() {
        String bare = family.replaceFirst("\\(.*", "").strip();
        if (!NAMES.contains(bare)) {
            throw InvalidInputException.unknownName("family", bare, NAMES);
        }
        return link == null ? Losses.named(family) : Losses.named(family, link);
    }
}
