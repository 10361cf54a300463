package dev.starling.cli;

import dev.starling.cli.console.ConsoleCommand;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints a completion script for bash and zsh. */
@Command(
        name = "completion",
        description = "Prints a script that makes bash and zsh complete commands and options.",
        footer = {
            "",
            "Examples:",
            "  source <(starling completion)",
            "  starling completion > ~/.local/share/bash-completion/completions/starling"
        })
final class CompletionCommand extends ConsoleCommand {

    @Override
    public Integer call() {
        out().print(AutoComplete.bash(
                "starling", commandLine().getCommandSpec().root().commandLine()));
        return Main.DONE;
    }
}
