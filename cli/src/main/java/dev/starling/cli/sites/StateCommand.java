package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.cohort.RunState;
import dev.starling.peer.config.SiteConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists and purges what runs have left in a site's state. */
@Command(
        name = "state",
        synopsisSubcommandLabel = "show|purge",
        description = {
            "Lists and purges what runs have left at a site.",
            "Ledgers, totals and the register stay, unless you say otherwise."
        },
        footer = {
            "",
            "Examples:",
            "  starling state show a.yaml",
            "  starling state purge a.yaml --run run-1",
            "",
            "Exit codes: 0 done, 2 refused, or there is no such run."
        })
public final class StateCommand {

    private static final double MEGABYTE = 1e6;

    @Spec
    private CommandSpec spec;

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    @Command(mixinStandardHelpOptions = true, description = "Lists the runs in a site's state.")
    int show(@Parameters(paramLabel = "SITE.YAML", description = "The site's file.") Path file) throws IOException {
        for (RunState run : RunState.all(SiteConfig.read(file))) {
            out().println(String.format(
                    Locale.US,
                    "%s: %.1f MB, %s, %s",
                    run.name(),
                    run.bytes() / MEGABYTE,
                    run.hasEnded() ? "ended" : "not ended, as far as this site knows",
                    run.hasSecrets() ? "its secrets are still there" : "without secrets"));
        }
        return Main.DONE;
    }

    @Command(mixinStandardHelpOptions = true, description = "Deletes checkpoints and secrets of runs.")
    int purge(
            @Parameters(paramLabel = "SITE.YAML", description = "The site's file.") Path file,
            @Option(names = "--run", required = true, paramLabel = "RUN", description = "The run; may be repeated.")
                    List<String> names,
            @Option(names = "--all", description = "Delete its ledger and totals as well.") boolean all,
            @Option(names = "--unfinished", description = "Also if the run has not ended, which it then never will.")
                    boolean unfinished)
            throws IOException {
        List<RunState> runs = RunState.all(SiteConfig.read(file));
        for (String name : names) {
            RunState run = runs.stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> InvalidInputException.unknownName(
                            "run", name, runs.stream().map(RunState::name).toList()));
            if (!run.hasEnded() && !unfinished) {
                throw new InvalidInputException("run " + name + " has not ended, as far as this site knows, and could"
                        + " never go on; give --unfinished if it is to be given up");
            }
            out().println("run " + name + ": deleted " + run.purge(all) + " files");
        }
        return Main.DONE;
    }
}
