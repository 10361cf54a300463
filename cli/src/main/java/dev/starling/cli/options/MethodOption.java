package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.method.Methods;
import picocli.CommandLine.Option;

/** The method that finds the optimum. */
@Under(Section.NODES)
public final class MethodOption {

    @Option(names = "--method")
    private String method;

    @Option(
            names = "--varying",
            paramLabel = "RULE",
            description =
                    "Let every round have only some of the edges, drawn at random: random:Q (each with probability Q),"
                            + " matchings or pairs. Only adfs can do with that.")
    private String varying;

    /** The method's name, or auto. */
    public String name() {
        if (varying == null) {
            return method;
        }
        if (method != null && !method.equals(Methods.AUTO) && !method.equals("adfs")) {
            throw new InvalidInputException("--varying lets rounds have only some of the edges, and method " + method
                    + " needs its own in every round; adfs can do with that: leave --method " + method + " out");
        }
        return "adfs-varying:" + varying;
    }
}
