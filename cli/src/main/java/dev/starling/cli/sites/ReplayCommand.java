package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.options.JsonOption;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.node.Replay;
import dev.starling.peer.sums.LedgerComparison;
import dev.starling.peer.trust.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Repeats a site's run offline, and says for every sum in the ledger whether it is what the site should have sent. */
@Command(
        name = "replay",
        description = {
            "Computes again what this site sent in a run, and compares it with the ledger.",
            "The site's rows and the totals it has stored are enough. Every sum is reported as true or false, and"
                    + " nothing is sent."
        },
        footer = {
            "",
            "Examples:",
            "  starling replay a.yaml",
            "  starling replay a.yaml --model model-a.json --json",
            "",
            "Exit codes: 0 true, 1 false, 2 the ledger was altered, or something needed is missing."
        })
public final class ReplayCommand extends ConsoleCommand {

    @Parameters(index = "0", paramLabel = "SITE.YAML", description = "The site's file, as it was in the run.")
    private Path file;

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "Model that the run ended with (default: as the site's file says).")
    private Path model;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() {
        SiteConfig config = Passwords.unlocked(SiteConfig.read(file));
        Replay.Outcome outcome = Replay.of(config, Optional.ofNullable(model).or(config::model));
        PrintWriter out = out();
        if (json.isGiven()) {
            write(out, outcome);
        } else {
            print(out, outcome);
        }
        return outcome.isTrue() ? Main.DONE : Main.UNCERTIFIED;
    }

    private static void print(PrintWriter out, Replay.Outcome outcome) {
        for (LedgerComparison.Compared sum : outcome.sums()) {
            line(
                    out,
                    (sum.isSame() ? "true  " : "FALSE ")
                            + LedgerCommand.words(sum.line())
                            + (sum.isSame() ? "" : ": " + sum.difference()));
        }
        outcome.differences().forEach(text -> line(out, "FALSE " + text));
        outcome.remarks().forEach(text -> line(out, "note  " + text));
        out.println(
                outcome.isTrue()
                        ? "true: what left the site is what the protocol computes from these rows, "
                                + outcome.sums().size() + " sums"
                                + (outcome.unproven() == 0
                                        ? ""
                                        : "; the numbers in " + outcome.unproven() + " others could not be checked")
                        : "FALSE: what left the site is not what the protocol computes from these rows");
    }

    private static void line(PrintWriter out, String text) {
        out.println(Printable.of(text, Integer.MAX_VALUE));
    }

    private static void write(PrintWriter out, Replay.Outcome outcome) {
        Json.print(out, generator -> {
            generator.with("isTrue", outcome.isTrue());
            generator.with("unproven", outcome.unproven());
            generator.objects("sums", outcome.sums(), (one, sum) -> {
                one.with("sum", sum.line().sum());
                one.with("kind", sum.line().fields().get("kind"));
                one.with("isTrue", sum.isSame());
                one.with("difference", sum.difference());
            });
            generator.with("differences", outcome.differences()).with("remarks", outcome.remarks());
        });
    }
}
