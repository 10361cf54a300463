package dev.starling.cli.statistics;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.console.TextTable;
import dev.starling.cli.options.Remarks;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.cli.page.HtmlPage;
import dev.starling.cli.show.ShowCommand;
import dev.starling.data.InvalidInputException;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.Heterogeneity;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How the table of a fit is printed, and what becomes of columns that others determine. */
final class TableForm {

    @Under(Section.OBJECTIVE)
    @Option(
            names = "--drop-aliased",
            description =
                    "Leave out columns that others determine, constant ones too, and name them, as R does; without"
                            + " this they are refused.")
    private boolean dropAliased;

    @Under(Section.EVALUATION)
    @Option(
            names = "--level",
            paramLabel = "L",
            defaultValue = "0.95",
            description = "Level of the intervals (default: ${DEFAULT-VALUE}).")
    private double level;

    @Under(Section.OUTPUT)
    @Option(
            names = "--exp",
            description =
                    "Print e to the estimates and to the ends of intervals: odds ratios, rate ratios, hazard ratios.")
    private boolean exp;

    @Under(Section.OUTPUT)
    @Option(
            names = "--digits",
            paramLabel = "N",
            defaultValue = "6",
            description = "Most digits of a number, from 1 to 16 (default: ${DEFAULT-VALUE}).")
    private int digits;

    @Under(Section.OUTPUT)
    @Option(
            names = "--page",
            paramLabel = ConsoleCommand.OUTPUT,
            description = "Also write a self-contained HTML page with a forest plot.")
    private Path page;

    @ArgGroup
    private Kind kind = new Kind();

    /** The kind of text. */
    static final class Kind {
        @Under(Section.OUTPUT)
        @Option(names = "--csv", description = "Print the table as CSV.")
        private boolean csv;

        @Under(Section.OUTPUT)
        @Option(names = "--markdown", description = "Print the table as Markdown.")
        private boolean markdown;

        @Under(Section.OUTPUT)
        @Option(names = "--latex", description = "Print the table as LaTeX, for the package booktabs.")
        private boolean latex;
    }

    /** Refuses what can be refused before the data is read. */
    void check(List<Path> inputs) {
        if (digits < 1 || digits > 16) {
            throw new InvalidInputException("--digits " + digits + " must be from 1 to 16");
        }
        if (page != null) {
            Outputs.requireWritable(page, inputs);
        }
    }

    private static List<String> leftOut(GlmTable table) {
        return table.coefficients().stream()
                .filter(one -> !one.isEstimated())
                .map(Coefficient::name)
                .distinct()
                .toList();
    }

    /** Refuses columns that others determine, unless they are to be left out. */
    void settle(GlmTable table, String source, Remarks remarks) {
        settle(leftOut(table), source, remarks);
    }

    /** Refuses columns that have no estimates, unless they are to be left out. */
    void settle(List<String> names, String source, Remarks remarks) {
        if (!names.isEmpty() && !dropAliased) {
            throw new InvalidInputException(
                    source + ": other columns, or the intercept, determine " + String.join(", ", names)
                            + (names.size() == 1
                                    ? ", which has no estimate; leave it"
                                    : ", which have no estimates; leave them")
                            + " out of the formula, or give --drop-aliased");
        }
        remark(names, source, remarks);
    }

    /** Says which columns are left out because others determine them. */
    void remark(GlmTable table, String source, Remarks remarks) {
        remark(leftOut(table), source, remarks);
    }

    private static void remark(List<String> names, String source, Remarks remarks) {
        if (!names.isEmpty()) {
            remarks.say(source + ": left out because other columns determine them: " + String.join(", ", names));
        }
    }

    /**
     * Writes the page, if one is wanted.
     *
     * @param text the table, not exponentiated, and what is said of the fit
     * @param classes the class that each coefficient is about; empty if there are none
     * @param bySite the estimates of each site, if they are shown
     */
    void writePage(GlmText text, List<String> classes, String subject, Supplier<List<Heterogeneity.Estimate>> bySite) {
        if (page != null) {
            String html = HtmlPage.filled(
                    ShowCommand.class,
                    "show.html",
                    json -> GlmJson.writePage(json, text, classes, subject, bySite.get()));
            Outputs.write(page, html);
        }
    }

    /** The exit code of a fit that is proven; a failure if it is not. */
    int code(GlmTable table, String source) {
        if (Double.isFinite(table.standardErrors())) {
            return Main.DONE;
        }
        throw new RunFailure(source + ": the fit is not proven; the numbers printed as ? are not known");
    }

    double level() {
        return level;
    }

    int digits() {
        return digits;
    }

    boolean isExponentiated() {
        return exp;
    }

    private TextTable.Form chosen() {
        return kind.csv
                ? TextTable.Form.CSV
                : kind.markdown ? TextTable.Form.MARKDOWN : kind.latex ? TextTable.Form.LATEX : TextTable.Form.PLAIN;
    }

    /** Whether people read the table as it is, and everything that is known with it. */
    boolean isPlain() {
        return chosen() == TextTable.Form.PLAIN;
    }

    /** Prints a table, and what is said of the fit where there is room for it. */
    void print(GlmText text, PrintWriter out) {
        new TextTable(text.cells()).print(chosen(), out);
        boolean markdown = chosen() == TextTable.Form.MARKDOWN;
        if (isPlain() || markdown) {
            out.println();
            int width = text.about().stream()
                    .mapToInt(pair -> pair.get(0).length())
                    .max()
                    .orElse(0);
            for (List<String> pair : text.about()) {
                String blanks = " ".repeat(width + 2 - pair.get(0).length());
                out.println(markdown ? "- " + pair.get(0) + ": " + pair.get(1) : pair.get(0) + blanks + pair.get(1));
            }
        }
    }

    /** Prints a further table under a heading, in the same form. */
    void printMore(ExtraOptions.Extra more, PrintWriter out) {
        out.println();
        switch (chosen()) {
            case PLAIN -> out.println(more.heading());
            case MARKDOWN -> out.println(more.heading() + "\n");
            case LATEX -> out.println("% " + more.heading());
            case CSV -> {}
        }
        new TextTable(more.cells()).print(chosen(), out);
    }
}
