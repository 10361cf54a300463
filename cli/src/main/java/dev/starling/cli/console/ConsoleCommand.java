package dev.starling.cli.console;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that prints: results to stdout, everything else to stderr. It ends with an exit code. */
public abstract class ConsoleCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Where results go. */
    protected final PrintWriter out() {
        return commandLine().getOut();
    }

    /** Where everything else goes. */
    protected final PrintWriter err() {
        return commandLine().getErr();
    }

    /** Whether an option was given, rather than left to its default. */
    protected final boolean isGiven(String option) {
        return commandLine().getParseResult().hasMatchedOption(option);
    }

    /** The command line that the command was called by. */
    protected final CommandLine commandLine() {
        return spec.commandLine();
    }
}
