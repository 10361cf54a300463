package dev.starling.cli.options;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a command says on stderr beside its results, unless it is to be quiet. */
public final class Remarks {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-q", "--quiet"},
            description = "No remarks on stderr.")
    private boolean quiet;

    /** Whether nobody wants to hear them. */
    public boolean isQuiet() {
        return quiet;
    }

    /** Says something in a line. */
    public void say(String text) {
        if (!quiet) {
            spec.commandLine().getErr().println(text);
        }
    }
}
