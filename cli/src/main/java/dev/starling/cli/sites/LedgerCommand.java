package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.sums.LedgerLine;
import dev.starling.peer.sums.ReleasedSums;
import dev.starling.peer.sums.SumLedger;
import dev.starling.peer.trust.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what has left a site, and checks that the ledger has not been altered. */
@Command(
        name = "ledger",
        description = {
            "Shows what has left this site in a run: every sum, its kind and the number of rows.",
            "'verify' checks that no line was altered, added or removed; 'show' also prints the lines."
        },
        footer = {
            "",
            "Examples:",
            "  starling ledger verify a.yaml",
            "  starling ledger show a.yaml",
            "  starling ledger show state-a/run-1/ledger",
            "",
            "Exit codes: 0 intact, 2 altered or missing."
        })
public final class LedgerCommand {

    @Spec
    private CommandSpec spec;

    @Command(mixinStandardHelpOptions = true, description = "Prints every line, then their totals.")
    int show(@Parameters(paramLabel = "FILE", description = "A site's file, or a ledger.") Path file) {
        PrintWriter out = spec.commandLine().getOut();
        List<LedgerLine> lines = read(file);
        for (LedgerLine line : lines) {
            out.println(Printable.of(words(line), Integer.MAX_VALUE));
        }
        out.println(summary(lines));
        return Main.DONE;
    }

    @Command(mixinStandardHelpOptions = true, description = "Checks that no line was altered, added or removed.")
    int verify(@Parameters(paramLabel = "FILE", description = "A site's file, or a ledger.") Path file) {
        spec.commandLine().getOut().println(summary(read(file)));
        return Main.DONE;
    }

    private static List<LedgerLine> read(Path file) {
        Path ledger = file;
        if (file.toString().endsWith(".yaml") || file.toString().endsWith(".yml")) {
            SiteConfig config = SiteConfig.read(file);
            ledger = config.state().resolve(config.run()).resolve("ledger");
        }
        if (!Files.exists(ledger)) {
            throw new InvalidInputException(ledger + " does not exist; has this site taken part in the run?");
        }
        try {
            return SumLedger.read(ledger);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(ledger, e);
        }
    }

    /** Describes a line in words. */
    static String words(LedgerLine line) {
        Map<String, String> fields = line.fields();
        if (line.sum() == 0) {
            return fields.get("line") + ": " + fields.get("what") + ", " + fields.get("detail");
        }
        return fields.get("line") + ": sum " + line.sum() + ", " + fields.get("kind") + ", " + fields.get("numbers")
                + " numbers over " + fields.get("rows") + " rows"
                + (fields.get("stride").equals("1") ? "" : ", every " + fields.get("stride") + "th of all")
                + (fields.get("problem").equals("0") ? "" : ", problem " + fields.get("problem"));
    }

    private static String summary(List<LedgerLine> lines) {
        List<ReleasedSums> kinds = ReleasedSums.of(lines);
        long numbers = kinds.stream().mapToLong(ReleasedSums::numbers).sum();
        StringBuilder text = new StringBuilder("intact: " + lines.size() + " lines, " + numbers + " numbers sent");
        kinds.forEach(one -> text.append(", ").append(one.sums()).append(' ').append(one.kind()));
        return text.toString();
    }
}
