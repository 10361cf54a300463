package dev.starling.cli.options;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Remarks that a command prints on stderr in addition to its results, unless it is told to be quiet. */
@Under(Section.OUTPUT)
public final class Remarks {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print no remarks on stderr.")
    private boolean quiet;

    /** Whether remarks are suppressed. */
    public boolean isQuiet() {
        return quiet;
    }

    /** Prints a line, unless remarks are suppressed. */
    public void say(String text) {
        if (!quiet) {
            spec.commandLine().getErr().println(text);
        }
    }
}
