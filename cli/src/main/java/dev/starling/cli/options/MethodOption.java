package dev.starling.cli.options;

import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** How the optimum is found. */
public final class MethodOption {

    private static final String NAME = "--method";

    @Option(
            names = NAME,
            paramLabel = "METHOD",
            defaultValue = "auto",
            completionCandidates = CompletionCandidates.OfMethod.class,
            description =
                    "How to find the optimum: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}), which picks newton"
                            + " unless the loss or the penalty has a kink, a point where its slope jumps; with at most"
                            + " 500 features, proximal-newton if only the penalty has, and multipliers if the loss has.")
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
