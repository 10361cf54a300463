package dev.starling.cli.statistics;

import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.statistics.GlmText;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How the table of a fit is printed. */
final class TableForm {

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
    void check() {
        if (digits < 1 || digits > 16) {
            throw new InvalidInputException("--digits " + digits + " must be from 1 to 16");
        }
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

    GlmText.Form chosen() {
        return kind.csv
                ? GlmText.Form.CSV
                : kind.markdown ? GlmText.Form.MARKDOWN : kind.latex ? GlmText.Form.LATEX : GlmText.Form.PLAIN;
    }
}
