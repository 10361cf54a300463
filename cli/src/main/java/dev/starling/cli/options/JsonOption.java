package dev.starling.cli.options;

import picocli.CommandLine.Option;

/** Whether a command prints its results as JSON, for programs. */
@Under(Section.OUTPUT)
public final class JsonOption {

    @Option(names = "--json", description = "Print the results as one JSON object.")
    private boolean json;

    /** Whether JSON was asked for. */
    public boolean isGiven() {
        return json;
    }
}
