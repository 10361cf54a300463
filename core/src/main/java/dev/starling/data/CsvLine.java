package dev.starling.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One line of a CSV file taken apart as text: for headers and for messages, never for rows. */
final class CsvLine {

    /** What to say of a line with an open quote. */
    static final String OPEN_QUOTE = "a double quote is not closed; quotes must stand in pairs around a cell";

    private CsvLine() {}

    /** Whether a quote begins that does not end on the line. */
    static boolean hasOpenQuote(String line) {
        return line.chars().filter(c -> c == '"').count() % 2 == 1;
    }

    /** The cells, without surrounding blanks and quotes. */
    static List<String> split(String line, char delimiter) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                // Two in a row within quotes are one that belongs to the cell.
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    cell.append(line.charAt(i++));
                } else {
                    quoted = !quoted;
                }
            } else if (c == delimiter && !quoted) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString().strip());
        return cells;
    }

    /**
     * The first of tab, semicolon, comma and bar that stands outside quotes: the rarer in running text goes first. A
     * comma where there is none.
     */
    static char delimiterOf(String line) {
        String bare = line.replaceAll("\"[^\"]*\"", "");
        for (char delimiter : new char[] {'\t', ';', ',', '|'}) {
            if (bare.indexOf(delimiter) >= 0) {
                return delimiter;
            }
        }
        return ',';
    }

    /** Whether a cell holds a number, however large. */
    static boolean isNumber(String cell) {
        byte[] bytes = (cell + '\n').getBytes(StandardCharsets.UTF_8);
        NumberParser numbers = new NumberParser();
        return !Double.isNaN(numbers.parseDouble(bytes, 0)) && numbers.end() == bytes.length - 1;
    }

    /** Whether a cell can only be a name or category: neither a number nor a way to write a missing one. */
    static boolean isText(String cell) {
        return !cell.isEmpty()
                && !isNumber(cell)
                && !CellText.isNotFinite(cell)
                && !cell.equalsIgnoreCase("na")
                && !cell.equals("?");
    }
}
