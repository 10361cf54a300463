package dev.starling.cli;

import dev.starling.cli.console.RunFailure;
import dev.starling.cli.options.Advice;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.sums.LedgerException;
import dev.starling.peer.trust.Printable;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns every failure into one line on stderr and an exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

    private final BooleanSupplier wantsTrace;

    Failures(BooleanSupplier wantsTrace) {
        this.wantsTrace = wantsTrace;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        if (wantsTrace.getAsBoolean()) {
            failure.printStackTrace(command.getErr());
        }
        print(
                command,
                ended(describe(failure)) + " see '" + command.getCommandSpec().qualifiedName() + " --help'");
        return Main.BAD_INPUT;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (wantsTrace.getAsBoolean()) {
            failure.printStackTrace(command.getErr());
        }
        if (failure instanceof InvalidInputException) {
            print(command, Advice.inOptions(failure.getMessage(), command.getCommandSpec()));
            return Main.BAD_INPUT;
        }
        if (failure instanceof RunFailure run) {
            print(command, failure.getMessage());
            return run.isPassing() ? Main.TRY_AGAIN : Main.UNCERTIFIED;
        }
        if (isLackOfMemory(failure)) {
            return outOfMemory(command);
        }
        if (failure instanceof FileSystemException file && file.getFile() != null) {
            print(command, described(file));
            return file.getReason() == null ? Main.BAD_INPUT : Main.UNCERTIFIED;
        }
        if (failure instanceof LedgerException) {
            print(command, failure.getMessage());
            return Main.UNCERTIFIED;
        }
        print(command, "this should not have happened: " + failure + "; please report it with the output of --debug");
        return Main.UNCERTIFIED;
    }

    /** What is wrong with a file that is not there, or that a disk has no room for. */
    private static String described(FileSystemException e) {
        return e instanceof NoSuchFileException
                ? e.getFile() + " does not exist"
                : e instanceof AccessDeniedException
                        ? e.getFile() + ": permission denied"
                        : e.getFile() + " "
                                + Optional.ofNullable(e.getReason())
                                        .orElse("cannot be used: "
                                                + e.getClass().getSimpleName().replace("Exception", ""));
    }

    /** Whether a thread ran out of memory. */
    private static boolean isLackOfMemory(Throwable failure) {
        return failure instanceof OutOfMemoryError || (failure != null && isLackOfMemory(failure.getCause()));
    }

    /** Reports that memory ran out. */
    static int outOfMemory(CommandLine command) {
        long allowed = Runtime.getRuntime().maxMemory() / (1 << 20);
        print(
                command,
                "not enough memory: " + allowed + " MB were allowed; allow more with STARLING_JAVA_OPTS=-Xmx"
                        + 2 * allowed + "m, or use smaller data");
        return Main.UNCERTIFIED;
    }

    private static String describe(ParameterException failure) {
        if (failure instanceof UnmatchedArgumentException unmatched) {
            String given = unmatched.getUnmatched().get(0);
            // Suggestions for options include the name of their parameter.
            List<String> suggestions = unmatched.getSuggestions().stream()
                    .map(suggestion -> suggestion.split("[ =\\[]", 2)[0])
                    .toList();
            if (suggestions.contains(given)) {
                return "unexpected argument '" + given + "' after '--'; give options before it";
            }
            boolean option = unmatched.isUnknownOption();
            boolean command =
                    !option && !unmatched.getCommandLine().getSubcommands().isEmpty();
            String kind = option ? "unknown option" : command ? "unknown command" : "unexpected argument";
            // Of few commands, all are candidates.
            Collection<String> candidates =
                    command ? unmatched.getCommandLine().getSubcommands().keySet() : suggestions;
            return kind + " '" + given + "'"
                    + (suggestions.isEmpty()
                            ? isNumber(given) ? "; write a number of a loss in parentheses, as in 'huber(0.5)'" : ""
                            : "; did you mean '" + InvalidInputException.nearest(given, candidates) + "'?");
        }
        String message = String.valueOf(failure.getMessage());
        return (message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1))
                .replace("is not an int", "is not a whole number")
                .replace("is not a long", "is not a whole number")
                .replace("is not a double", "is not a number");
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9.]+");
    }

    private static String ended(String message) {
        return message.endsWith("?") ? message : message.replaceFirst("\\.$", "") + ";";
    }

    private static void print(CommandLine command, String message) {
        // Part of the message may come from a file or another site: no escape sequence in it may reach the terminal.
        String line = String.valueOf(message).replaceAll("\\s*\\R\\s*", " ");
        command.getErr().println("starling: " + Printable.of(line, Integer.MAX_VALUE));
    }
}
