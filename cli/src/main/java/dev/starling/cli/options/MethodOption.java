package dev.starling.cli.options;

import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** The method that finds the optimum. */
@Under(Section.NODES)
public final class MethodOption {

    private static final String NAME = "--method";

    @Option(
            names = NAME,
            paramLabel = "METHOD",
            defaultValue = "auto",
            completionCandidates = CompletionCandidates.OfMethod.class,
            description =
                    "How to find the optimum: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). auto picks newton"
                            + " unless the loss or the penalty has a kink, a point where its slope jumps. If one of"
                            + " them has, and there are at most 500 features, it picks multipliers if the loss has a"
                            + " kink, and otherwise proximal-newton.")
    private String method;

    /** The method's name, or auto. */
    public String name() {
        return method;
    }

    /** Takes the method of an earlier run, unless one was given. */
    public void like(String earlier, Predicate<String> isGiven) {
        method = isGiven.test(NAME) ? method : earlier;
    }
}
