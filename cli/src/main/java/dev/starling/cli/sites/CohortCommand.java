package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowKeys;
import dev.starling.data.text.AtomicFiles;
import dev.starling.peer.cohort.Cells;
import dev.starling.peer.cohort.CohortFindings;
import dev.starling.peer.cohort.CohortRegister;
import dev.starling.peer.cohort.RunCohort;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.node.Peer;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.trust.KeyPin;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows and keeps what a site remembers of its people over all runs. */
@Command(
        name = "cohort",
        synopsisSubcommandLabel = "register|check|show|withdraw",
        description = {
            "Keeps this site's register of people and runs.",
            "It has keyed hashes, which say nothing to anybody else. Totals of several runs can be subtracted from"
                    + " each other. So a run is refused if, together with all earlier ones, it would set apart fewer"
                    + " people than 'policy: fewest-rows' says."
        },
        footer = {
            "",
            "Examples:",
            "  starling cohort register a.yaml",
            "  starling cohort check a.yaml",
            "  starling cohort show a.yaml",
            "  starling cohort withdraw a.yaml --id 4711 --output a-2.csv",
            "",
            "Exit codes: 0 done, 2 refused, or something must be changed first."
        })
public final class CohortCommand {

    private static final String FILES = "SITE.YAML";
    private static final String SITE = "The site's file.";

    @Spec
    private CommandSpec spec;

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    @Command(
            mixinStandardHelpOptions = true,
            description =
                    "Registers the people in a site's rows for the run of its file; makes the register if there is"
                            + " none.")
    int register(
            @Parameters(arity = "1..*", paramLabel = FILES, description = "The files of sites.") List<Path> files,
            @Option(
                            names = "--other-people",
                            description =
                                    "Nobody in these rows was in an earlier run, though nothing in them shows it.")
                    boolean others,
            @Option(
                            names = "--same-site",
                            split = ",",
                            paramLabel = "NAME",
                            description = "Sites that have a new key since the last run and are still the same.")
                    List<String> renewed)
            throws IOException {
        for (Path file : files) {
            SiteConfig config = SiteConfig.read(file);
            if (!CohortRegister.exists(config.register())) {
                CohortRegister.create(config.register());
                out().println(config.register() + " is new: it knows of no earlier run of site " + config.site()
                        + ". If there was one, delete it and restore the backup");
            }
            RunCohort cohort = Peer.cohort(config);
            try (CohortRegister register = cohort.open()) {
                for (String name : renewed == null ? List.<String>of() : renewed) {
                    register.renew(name, pin(config, name));
                }
                Policy policy = config.policy();
                describe(register.register(
                        config.run(), config.members(), cohort.cells(), policy.fewestRows(), others, false, 0));
            }
        }
        return Main.DONE;
    }

    private static String pin(SiteConfig config, String name) {
        if (!config.sites().contains(name)) {
            throw InvalidInputException.unknownName("site", name, config.sites());
        }
        return config.pin(config.sites().indexOf(name))
                .map(KeyPin::sha256)
                .orElseThrow(() -> new InvalidInputException("the key of site " + name + " is not pinned"));
    }

    private void describe(CohortFindings findings) {
        CohortRegister.Entry entry = findings.entry();
        out().println("run " + entry.run() + ": " + entry.people() + " people, " + entry.met()
                + " of them known from earlier runs; the fewest who were always together are " + entry.smallest());
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Says whether the run of a site's file would set people or sites apart; remembers nothing.")
    int check(@Parameters(paramLabel = FILES, description = SITE) Path file) throws IOException {
        SiteConfig config = Passwords.unlocked(SiteConfig.read(file));
        RunCohort cohort = Peer.cohort(config);
        try (CohortRegister register = cohort.open()) {
            CohortFindings findings = cohort.check(register, false);
            if (findings.refusals().isEmpty()) {
                describe(findings);
            }
            cohort.require(
                    register, findings, () -> new SiteSignature(config.tls().load()));
        }
        return Main.DONE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Prints every cohort in a site's register, and what was released about it.")
    int show(@Parameters(paramLabel = FILES, description = SITE) Path file) throws IOException {
        SiteConfig config = SiteConfig.read(file);
        try (CohortRegister register = CohortRegister.open(config.register())) {
            for (CohortRegister.Entry entry : register.entries()) {
                out().println(entry.run() + ": " + entry.people() + " people, " + entry.met() + " known before; with "
                        + entry.members().stream()
                                .map(member -> member.split(":", 2)[0])
                                .collect(Collectors.joining(", "))
                        + "; " + released(entry));
            }
            out().println("intact; " + register.account(config.policy()));
        }
        return Main.DONE;
    }

    private static String released(CohortRegister.Entry entry) {
        return entry.released()
                .map(numbers -> numbers.numbers() + " numbers in sums, " + numbers.passes() + " of these at a point, "
                        + numbers.curvatures() + " with curvatures")
                .orElse(entry.begun() ? "begun, not known to be over" : "not begun");
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Names the rows to leave out so that people can go without being set apart: theirs, and those"
                    + " of companions drawn secretly.")
    int withdraw(
            @Parameters(paramLabel = FILES, description = "The site's file, whose rows still have them.") Path file,
            @Option(names = "--id", paramLabel = "ID", description = "Who must go, by the study's ids.")
                    List<String> ids,
            @Option(names = "--row", split = ",", paramLabel = "N", description = "Rows that must go, from 1.")
                    List<Integer> rows,
            @Option(
                            names = "--output",
                            paramLabel = "OUT",
                            description = "Where to write a table without them (default: print the rows' numbers).")
                    Path target)
            throws IOException {
        SiteConfig config = SiteConfig.read(file);
        RunCohort cohort = Peer.cohort(config);
        BitSet going = rowsOf(cohort.cells(), ids == null ? List.of() : ids, rows == null ? List.of() : rows);
        BitSet gone;
        try (CohortRegister register = cohort.open()) {
            gone = register.withdraw(cohort.cells(), going, config.policy().fewestRows());
        }
        BitSet numbers = new BitSet();
        gone.stream().forEach(row -> numbers.set(cohort.cells().number(row)));
        if (target == null) {
            out().println(numbers.stream().mapToObj(Integer::toString).collect(Collectors.joining(",")));
        } else {
            write(config, numbers, target);
            out().println(target + " lacks " + numbers.cardinality() + " rows; give it as data.file from now on");
        }
        return Main.DONE;
    }

    private static BitSet rowsOf(Cells cells, List<String> ids, List<Integer> numbers) {
        BitSet rows = new BitSet();
        for (String id : ids) {
            long key = RowKeys.ofCells(List.of(id.split(",")));
            BitSet found = new BitSet();
            IntStream.range(0, cells.ids().length)
                    .filter(row -> cells.ids()[row] == key)
                    .forEach(found::set);
            if (found.isEmpty()) {
                throw new InvalidInputException("no row has the id given; it must be as in the columns that the study"
                        + " names under ids:, and without these give --row");
            }
            rows.or(found);
        }
        for (int number : numbers) {
            rows.set(IntStream.range(0, cells.rows())
                    .filter(row -> cells.number(row) == number)
                    .findFirst()
                    .orElseThrow(() -> new InvalidInputException(
                            "the site has no row " + number + "; rows are counted from 1, without the line of names")));
        }
        if (rows.isEmpty()) {
            throw new InvalidInputException("nobody is to go; give --id or --row");
        }
        return rows;
    }

    private static void write(SiteConfig config, BitSet numbers, Path target) {
        if (config.data().study().isEmpty()) {
            throw new InvalidInputException(
                    "--output needs a study (data: study:); without one, leave it out, and remove"
                            + " the rows whose numbers are printed");
        }
        Table table = TableReader.standard()
                .format(config.data().format())
                .read(config.data().file());
        AtomicFiles.write(target, out -> {
            out.write((table.header() + "\n").getBytes(StandardCharsets.UTF_8));
            int number = 0;
            for (Table.Cursor cursor = table.cursor(); cursor.next(); ) {
                if (!numbers.get(++number)) {
                    out.write((cursor.record() + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
        });
    }
}
