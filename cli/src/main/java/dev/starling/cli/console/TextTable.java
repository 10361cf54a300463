package dev.starling.cli.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table as text: the first column is left-aligned, the others right-aligned.
 *
 * @param lines the header and the lines, all with the same number of cells
 */
public record TextTable(List<List<String>> lines) {

    /** How a table is written. */
    public enum Form {
        /** In columns, for reading on a terminal. */
        PLAIN,
        /** Cells separated by commas. */
        CSV,
        /** As in Markdown. */
        MARKDOWN,
        /** As in LaTeX, with booktabs. */
        LATEX
    }

    /** Prints the table in columns. */
    public void print(PrintWriter out) {
        int columns = lines.get(0).size();
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int c = 0; c < columns; c++) {
                widths[c] = Math.max(widths[c], line.get(c).length());
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int c = 0; c < columns; c++) {
                String blanks = " ".repeat(widths[c] - line.get(c).length());
                text.append(c == 0 ? "" : "  ").append(c == 0 ? line.get(c) + blanks : blanks + line.get(c));
            }
            out.println(text.toString().stripTrailing());
        }
    }

    /** Prints the table in a form. */
    public void print(Form form, PrintWriter out) {
        switch (form) {
            case PLAIN -> print(out);
            case CSV ->
                lines.forEach(
                        line -> out.println(line.stream().map(TextTable::quoted).collect(Collectors.joining(","))));
            case MARKDOWN -> printMarkdown(out);
            case LATEX -> printLatex(out);
        }
    }

    /** Prints the table in Markdown. */
    public void printMarkdown(PrintWriter out) {
        for (int k = 0; k < lines.size(); k++) {
            out.println(lines.get(k).stream().map(TextTable::escaped).collect(Collectors.joining(" | ", "| ", " |")));
            if (k == 0) {
                out.println("|---" + "|---:".repeat(lines.get(0).size() - 1) + "|");
            }
        }
    }

    private void printLatex(PrintWriter out) {
        out.println("\\begin{tabular}{l" + "r".repeat(lines.get(0).size() - 1) + "}");
        out.println("\\toprule");
        for (int k = 0; k < lines.size(); k++) {
            out.println(lines.get(k).stream().map(TextTable::latex).collect(Collectors.joining(" & ")) + " \\\\");
            if (k == 0) {
                out.println("\\midrule");
            }
        }
        out.println("\\bottomrule");
        out.println("\\end{tabular}");
    }

    /** Returns a cell without what Markdown would take for the end of a cell, or for markup. */
    private static String escaped(String cell) {
        return cell.replaceAll("([\\\\|*_`<\\[\\]])", "\\\\$1");
    }

    /** Returns a cell of CSV. */
    public static String quoted(String cell) {
        return cell.matches("[^\",\n\r]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private static String latex(String cell) {
        return cell.replace("\\", "\\textbackslash ")
                .replaceAll("([%&$#_{}])", "\\\\$1")
                .replace("^", "\\^{}");
    }
}
