package dev.starling.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the script that completes commands and options in bash and zsh. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script with which bash and zsh complete commands and options.",
        footer = {
            "",
            "Examples:",
            "  source <(starling completion)",
            "  starling completion > ~/.local/share/bash-completion/completions/starling"
        })
final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine()
                .getOut()
                .print(AutoComplete.bash("starling", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return Main.DONE;
    }
}
