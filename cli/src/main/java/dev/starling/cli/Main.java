package dev.starling.cli;

import dev.starling.Version;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code starling} command: what each subcommand does is in a class of its own. */
@Command(
        name = "starling",
        mixinStandardHelpOptions = true,
        versionProvider = Main.CurrentVersion.class,
        description = "Trains linear models on data that lives in several places, with a proof of how good they are.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TrainCommand.class,
            PredictCommand.class,
            GenerateCommand.class,
            TopologyCommand.class,
            DemoCommand.class,
            CompletionCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  starling demo",
            "  starling train a9a.gz --lambda 1e-4 --gap 1e-6",
            "  starling predict model.json a9a.t.gz",
            "  starling train --help",
            "",
            "Exit codes: 0 done, 1 the run failed or stopped uncertified, 2 wrong usage or bad input."
        })
public final class Main implements Runnable {

    /** Exit code of a run that did all it was asked to. */
    static final int DONE = 0;

    /** Exit code of a run that failed, or ended without the certificate asked for. */
    static final int UNCERTIFIED = 1;

    /** Exit code of wrong usage and of input that cannot be used. */
    static final int BAD_INPUT = 2;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of a failure (also with STARLING_DEBUG=1 in the environment).")
    private boolean debug;

    /** Starts the command and ends the process with its exit code. */
    public static void main(String[] args) {
        // Text is UTF-8 whatever the locale: JSON has to be, and the formulas contain Greek.
        PrintWriter out = utf8(FileDescriptor.out);
        PrintWriter err = utf8(FileDescriptor.err);
        int code = run(out, err, args);
        out.flush();
        err.flush();
        System.exit(code);
    }

    /** Runs a command with its output going to the given places, and returns its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine(out, err).execute(args);
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        Main main = new Main();
        Failures failures = new Failures(() -> main.debug || System.getenv("STARLING_DEBUG") != null);
        CommandLine commandLine = new CommandLine(main);
        commandLine.setOut(out);
        commandLine.setErr(err);
        commandLine.setUsageHelpLongOptionsMaxWidth(26);
        commandLine.setUsageHelpWidth(100);
        commandLine.setParameterExceptionHandler(failures);
        commandLine.setExecutionExceptionHandler(failures);
        return commandLine;
    }

    private static PrintWriter utf8(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing; there are: "
                        + String.join(", ", spec.subcommands().keySet()));
    }

    /** The version line. */
    static final class CurrentVersion implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"starling " + Version.current()};
        }
    }
}
