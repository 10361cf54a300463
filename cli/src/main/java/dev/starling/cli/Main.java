package dev.starling.cli;

import dev.starling.cli.compare.CompareCommand;
import dev.starling.cli.compare.LabCommand;
import dev.starling.cli.compare.PlanCommand;
import dev.starling.cli.compare.ReproduceCommand;
import dev.starling.cli.console.StandardOutput;
import dev.starling.cli.console.Terminal;
import dev.starling.cli.evaluate.EvaluateCommand;
import dev.starling.cli.export.ExportCommand;
import dev.starling.cli.make.GenerateCommand;
import dev.starling.cli.make.TopologyCommand;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SettingOptions;
import dev.starling.cli.options.Under;
import dev.starling.cli.playground.PlaygroundCommand;
import dev.starling.cli.serve.ServeCommand;
import dev.starling.cli.show.ShowCommand;
import dev.starling.cli.sites.AttackCommand;
import dev.starling.cli.sites.AuditCommand;
import dev.starling.cli.sites.CohortCommand;
import dev.starling.cli.sites.KeysCommand;
import dev.starling.cli.sites.LedgerCommand;
import dev.starling.cli.sites.MeasureCommand;
import dev.starling.cli.sites.NetworkCommand;
import dev.starling.cli.sites.PeerCommand;
import dev.starling.cli.sites.ReplayCommand;
import dev.starling.cli.sites.SplitCommand;
import dev.starling.cli.sites.StateCommand;
import dev.starling.cli.sites.WatchCommand;
import dev.starling.cli.statistics.AnovaCommand;
import dev.starling.cli.statistics.CoxCommand;
import dev.starling.cli.statistics.GlmCommand;
import dev.starling.cli.statistics.SurvivalCommand;
import dev.starling.cli.table.DescribeCommand;
import dev.starling.cli.table.StudyCommand;
import dev.starling.cli.train.PredictCommand;
import dev.starling.cli.train.TrainCommand;
import dev.starling.cli.verify.VerifyCommand;
import dev.starling.cores.Cores;
import dev.starling.internal.Version;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code starling} command; each subcommand has a class of its own. */
@Command(
        name = "starling",
        versionProvider = Main.CurrentVersion.class,
        description = "Trains linear models on data that lives in several places, with a proof of how good they are.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  starling demo",
            "  starling describe people.csv",
            "  starling train people.csv --label-column income",
            "  starling show model.json",
            "  starling predict model.json people.csv --append",
            "  starling evaluate model.json people.csv",
            "  starling train a9a.gz --lambda 1e-4 --gap 1e-6",
            "  starling train --help",
            "",
            "Exit codes: 0 done, 1 the run failed or stopped uncertified, 2 wrong usage or bad input,",
            "75 a site stopped with its state saved; start it again to continue."
        })
@Under(Section.HELP)
public final class Main implements Runnable {

    /** All commands, in the order in which help lists them. */
    private static final List<String> NAMES = List.of(
            "demo",
            "describe",
            "train",
            "glm",
            "cox",
            "survival",
            "anova",
            "show",
            "predict",
            "evaluate",
            "verify",
            "export",
            "study",
            "keys",
            "network",
            "peer",
            "measure",
            "watch",
            "cohort",
            "ledger",
            "replay",
            "audit",
            "state",
            "attack",
            "split",
            "compare",
            "plan",
            "reproduce",
            "lab",
            "playground",
            "generate",
            "topology",
            "serve",
            "completion",
            "help");

    /** The commands that need to know all others. */
    private static final Set<String> ABOUT_ALL = Set.of("completion", "help");

    /** The commands that read rows as soon as they know their options, and most of which train on them. */
    private static final Set<String> OF_ROWS = Set.of("train", "glm", "cox", "anova", "predict", "evaluate");

    /** Names by which people look for a command that has another. */
    private static final Map<String, String> OTHER_NAMES = Map.of("coefficients", "show", "summary", "show");

    /** Exit code of a run that did everything it was asked to. */
    public static final int DONE = 0;

    /** Exit code of a run that failed, or ended without the certificate asked for. */
    public static final int UNCERTIFIED = 1;

    /** Exit code of wrong usage and of input that cannot be used. */
    public static final int BAD_INPUT = 2;

    /** Exit code of a failure that may be gone when the same command is run again, as in sysexits.h. */
    public static final int TRY_AGAIN = 75;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of a failure (also with STARLING_DEBUG=1 in the environment).")
    private boolean debug;

    /**
     * Makes the command with one of the names. A switch costs a new process nothing, unlike a table of constructors.
     */
    private static Object command(String name) {
        return switch (name) {
            case "demo" -> new DemoCommand();
            case "describe" -> new DescribeCommand();
            case "train" -> new TrainCommand();
            case "glm" -> new GlmCommand();
            case "cox" -> new CoxCommand();
            case "survival" -> new SurvivalCommand();
            case "anova" -> new AnovaCommand();
            case "show" -> new ShowCommand();
            case "predict" -> new PredictCommand();
            case "evaluate" -> new EvaluateCommand();
            case "verify" -> new VerifyCommand();
            case "export" -> new ExportCommand();
            case "study" -> new StudyCommand();
            case "keys" -> new KeysCommand();
            case "network" -> new NetworkCommand();
            case "peer" -> new PeerCommand();
            case "measure" -> new MeasureCommand();
            case "watch" -> new WatchCommand();
            case "cohort" -> new CohortCommand();
            case "ledger" -> new LedgerCommand();
            case "replay" -> new ReplayCommand();
            case "audit" -> new AuditCommand();
            case "state" -> new StateCommand();
            case "attack" -> new AttackCommand();
            case "split" -> new SplitCommand();
            case "compare" -> new CompareCommand();
            case "plan" -> new PlanCommand();
            case "reproduce" -> new ReproduceCommand();
            case "lab" -> new LabCommand();
            case "playground" -> new PlaygroundCommand();
            case "generate" -> new GenerateCommand();
            case "topology" -> new TopologyCommand();
            case "serve" -> new ServeCommand();
            case "completion" -> new CompletionCommand();
            case "help" -> new HelpCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** The names of the commands. */
    static List<String> names() {
        return NAMES;
    }

    /** Starts the command and ends the process with its exit code. */
    public static void main(String[] args) {
        StandardOutput out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        PrintWriter err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        int code = run(out, err, args);
        err.flush();
        System.exit(code);
    }

    /** Runs a command whose results go to standard output; if they cannot be written, it has failed. */
    static int run(StandardOutput out, PrintWriter err, String... args) {
        int code = run(out.writer(), err, args);
        Optional<String> problem = out.problem();
        problem.ifPresent(text -> err.println("starling: " + text));
        return problem.isPresent() && code == DONE ? UNCERTIFIED : code;
    }

    /** Runs a command with its output going to the given writers, and returns its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... given) {
        String[] args = given.clone();
        if (args.length > 0) {
            args[0] = OTHER_NAMES.getOrDefault(args[0], args[0]);
        }
        if (args.length == 1 && args[0].equals("--version")) {
            out.println(CurrentVersion.line());
            return DONE;
        }
        // Setting up the options of all commands takes longer than starting Java: do it only if all are needed.
        boolean one = args.length > 0 && NAMES.contains(args[0]) && !ABOUT_ALL.contains(args[0]);
        CommandLine commandLine = one ? commandLine(out, err, args[0]) : commandLine(out, err);
        try {
            return new Cores(Runtime.getRuntime().availableProcessors()).call(() -> commandLine.execute(args));
        } catch (OutOfMemoryError e) {
            return Failures.outOfMemory(commandLine);
        }
    }

    /** The command line with all commands. */
    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return commandLine(out, err, NAMES.stream().map(Main::command).toList());
    }

    /** The command line with one command. */
    private static CommandLine commandLine(PrintWriter out, PrintWriter err, String name) {
        if (OF_ROWS.contains(name)) {
            Ahead.start();
        }
        return commandLine(out, err, List.of(command(name)));
    }

    private static CommandLine commandLine(PrintWriter out, PrintWriter err, List<Object> commands) {
        Main main = new Main();
        Failures failures = new Failures(() -> main.debug || System.getenv("STARLING_DEBUG") != null);
        CommandLine commandLine = new CommandLine(main);
        // A method reference would keep picocli's largest class out of the launcher's archive.
        for (Object command : commands) {
            commandLine.addSubcommand(command);
        }
        complete(commandLine);
        commandLine.setHelpFactory(new GroupedHelp.Factory());
        commandLine.setOut(out);
        commandLine.setErr(err);
        commandLine.setUsageHelpLongOptionsMaxWidth(26);
        commandLine.setUsageHelpWidth(Terminal.ofStandardError().helpWidth());
        commandLine.setParameterExceptionHandler(failures);
        commandLine.setExecutionExceptionHandler(failures);
        return commandLine;
    }

    /**
     * Gives every command {@code --help} and {@code --version} (those that are methods have them already, since picocli
     * takes them for the first arguments), keeps its options in the order in which they are declared, and describes
     * those that are settings.
     */
    private static void complete(CommandLine command) {
        command.getCommandSpec().versionProvider(new CurrentVersion()).mixinStandardHelpOptions(true);
        command.getCommandSpec().usageMessage().sortOptions(false);
        SettingOptions.complete(command.getCommandSpec());
        for (CommandLine subcommand : command.getSubcommands().values()) {
            complete(subcommand);
        }
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a command is missing; there are: " + String.join(", ", NAMES));
    }

    /** The version line. */
    static final class CurrentVersion implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }

        static String line() {
            return "starling " + Version.current();
        }
    }
}
