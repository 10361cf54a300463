package dev.starling.cli.console;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that prints results to stdout and everything else to stderr, and returns an exit code. */
public abstract class ConsoleCommand implements Callable<Integer> {

    /** The label of parameters that name a file to write; no other parameter may have it. */
    public static final String OUTPUT = "OUT";

    @Spec
    private CommandSpec spec;

    /** The writer for results. */
    protected final PrintWriter out() {
        return commandLine().getOut();
    }

    /** The writer for everything else. */
    protected final PrintWriter err() {
        return commandLine().getErr();
    }

    /** Whether an option was given, rather than left to its default. */
    protected final boolean isGiven(String option) {
        return commandLine().getParseResult().hasMatchedOption(option);
    }

    /** The files given to the command, except those that it writes: see {@link #OUTPUT}. */
    protected final List<Path> inputs() {
        return spec.args().stream()
                .filter(argument -> !argument.paramLabel().equals(OUTPUT))
                .map(argument -> (Object) argument.getValue())
                .flatMap(value -> value instanceof Collection<?> several ? several.stream() : Stream.of(value))
                .filter(Path.class::isInstance)
                .map(Path.class::cast)
                .filter(path -> !path.toString().equals("-"))
                .toList();
    }

    /** The command line that the command belongs to. */
    protected final CommandLine commandLine() {
        return spec.commandLine();
    }
}
