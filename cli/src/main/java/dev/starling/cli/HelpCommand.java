package dev.starling.cli;

import dev.starling.cli.console.ConsoleCommand;
import dev.starling.data.InvalidInputException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows the help of a command, whose name may have several words. */
@Command(
        name = "help",
        helpCommand = true,
        description = "Shows the help of a command.",
        footer = {"", "Examples:", "  starling help train", "  starling help keys init"})
final class HelpCommand extends ConsoleCommand {

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            completionCandidates = Commands.class,
            description = "Command, such as 'train' or 'keys init' (default: list all commands).")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        CommandLine shown = commandLine().getParent();
        for (String word : words) {
            Map<String, CommandLine> below = shown.getSubcommands();
            if (!below.containsKey(word)) {
                throw unknown(word, shown);
            }
            shown = below.get(word);
        }
        shown.usage(out());
        return Main.DONE;
    }

    private static ParameterException unknown(String word, CommandLine in) {
        Set<String> known = in.getSubcommands().keySet();
        return new ParameterException(
                in,
                "unknown command '" + word + "'"
                        + (known.isEmpty()
                                ? ""
                                : "; did you mean '" + InvalidInputException.nearest(word, known) + "'?"));
    }

    /** Completion candidates for the command. */
    static final class Commands implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Main.names().iterator();
        }
    }
}
