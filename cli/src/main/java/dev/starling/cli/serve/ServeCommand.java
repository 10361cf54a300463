package dev.starling.cli.serve;

import dev.starling.cli.console.ConsoleCommand;
import dev.starling.serve.PipeServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Trains for a program that speaks to it through pipes. */
@Command(
        name = "serve",
        description = "Trains for another program, which speaks to it through pipes.",
        footer = {
            "",
            "Requests come through standard input, and answers go to standard output; it ends with its input.",
            "Packages for Python and R start it by themselves.",
            "",
            "Examples:",
            "  starling serve --pipe"
        })
public final class ServeCommand extends ConsoleCommand {

    @Option(
            names = "--pipe",
            required = true,
            description = "Serve standard input and output: the only way there is, with no port for others to reach.")
    private boolean pipe;

    @Override
    public Integer call() {
        return pipe ? PipeServer.serveStandardStreams() : 0;
    }
}
