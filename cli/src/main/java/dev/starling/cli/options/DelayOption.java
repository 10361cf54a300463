package dev.starling.cli.options;

import dev.starling.cli.console.Json;
import dev.starling.data.InvalidInputException;
import picocli.CommandLine.Option;

/** The time of a message in idealised time. */
public final class DelayOption {

    @Option(
            names = "--tau",
            paramLabel = "T",
            defaultValue = "5",
            description = "Time of a message when a proximal step takes 1 (default: ${DEFAULT-VALUE}).")
    private double tau;

    /** τ. */
    public double tau() {
        require(tau);
        return tau;
    }

    /** Refuses a value that time could not have. */
    public static void require(double tau) {
        if (!(tau >= 0) || Double.isInfinite(tau)) {
            throw new InvalidInputException("--tau " + Json.text(tau) + " must be 0 or more, and finite");
        }
    }
}
