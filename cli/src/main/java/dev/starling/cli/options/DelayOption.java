package dev.starling.cli.options;

import dev.starling.cli.console.Json;
import dev.starling.data.InvalidInputException;
import picocli.CommandLine.Option;

/** How long a message takes in idealised time, where a proximal step (one step on one row) takes 1. */
@Under(Section.NODES)
public final class DelayOption {

    @Option(
            names = "--tau",
            paramLabel = "T",
            defaultValue = "5",
            description = "Time that a message takes, where a proximal step takes 1 (default: ${DEFAULT-VALUE}).")
    private double tau;

    /** τ. */
    public double tau() {
        require(tau);
        return tau;
    }

    /** Refuses a delay that is negative or not finite. */
    public static void require(double tau) {
        if (!(tau >= 0) || Double.isInfinite(tau)) {
            throw new InvalidInputException("--tau " + Json.text(tau) + " must be 0 or more, and finite");
        }
    }
}
