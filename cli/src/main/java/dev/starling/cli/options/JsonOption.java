package dev.starling.cli.options;

import picocli.CommandLine.Option;

/** Whether programs are to read what a command prints. */
public final class JsonOption {

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    /** Whether it is to be one JSON object. */
    public boolean isGiven() {
        return json;
    }
}
