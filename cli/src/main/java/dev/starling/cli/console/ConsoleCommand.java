package dev.starling.cli.console;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that prints: results to stdout, everything else to stderr. It ends with an exit code. */
public abstract class ConsoleCommand implements Callable<Integer> {

    /** What stands in help for the name of a file that is written, and for nothing else. */
    public static final String OUTPUT = "OUT";

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

    /** The files that the command was told of, but for those that it writes: see {@link #OUTPUT}. */
    protected final List<Path> inputs() {
        return spec.args().stream()
                .filter(argument -> !argument.paramLabel().equals(OUTPUT))
                .map(ArgSpec::<Object>getValue)
                .flatMap(value -> value instanceof Collection<?> several ? several.stream() : Stream.of(value))
                .filter(Path.class::isInstance)
                .map(Path.class::cast)
                .filter(path -> !path.toString().equals("-"))
                .toList();
    }

    /** The command line that the command was called by. */
    protected final CommandLine commandLine() {
        return spec.commandLine();
    }
}
