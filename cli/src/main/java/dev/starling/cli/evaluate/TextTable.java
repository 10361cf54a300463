package dev.starling.cli.evaluate;

import java.io.PrintWriter;
import java.util.List;

/**
 * A table as text: the first column is left-aligned, the others right-aligned.
 *
 * @param lines the header and the lines, all with the same number of cells
 */
record TextTable(List<List<String>> lines) {

    void print(PrintWriter out) {
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
}
