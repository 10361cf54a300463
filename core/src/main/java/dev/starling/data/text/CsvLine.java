package dev.starling.data.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Splits single lines of a CSV file into text cells: for headers and error messages, never for rows of data. */
public final class CsvLine {

    /** The message for a line with an unclosed quote. */
    public static final String OPEN_QUOTE = "a double quote is not closed; quotes must come in pairs around a cell";

    private CsvLine() {}

    /** Whether a quote that opens on the line does not close on it. */
    public static boolean hasOpenQuote(String line) {
        return line.chars().filter(c -> c == '"').count() % 2 == 1;
    }

    /** The cells, without surrounding blanks and quotes. */
    public static List<String> split(String line, char delimiter) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                // A doubled quote inside quotes stands for one quote character.
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
     * The first of tab, semicolon, comma and vertical bar that occurs outside quotes; a comma if none does. Tabs and
     * semicolons come before commas because they are rarer in ordinary text.
     */
    public static char delimiterOf(String line) {
        String bare = line.replaceAll("\"[^\"]*\"", "");
        for (char delimiter : new char[] {'\t', ';', ',', '|'}) {
            if (bare.indexOf(delimiter) >= 0) {
                return delimiter;
            }
        }
        return ',';
    }

    /** Whether a cell holds a number, however large. */
    public static boolean isNumber(String cell) {
        return !Double.isNaN(number(cell));
    }

    /** The number that a cell holds, which may be infinite; NaN if it holds anything else. */
    public static double number(String cell) {
        byte[] bytes = (cell + '\n').getBytes(StandardCharsets.UTF_8);
        NumberParser numbers = new NumberParser();
        double number = numbers.parseDouble(bytes, 0);
        return numbers.end() == bytes.length - 1 ? number : Double.NaN;
    }

    /**
     * Whether a cell can only be a name or category: neither a number nor one of the usual ways to write a missing
     * value.
     */
    public static boolean isText(String cell) {
        return !cell.isEmpty()
                && !isNumber(cell)
                && !CellText.isNotFinite(cell)
                && !cell.equalsIgnoreCase("na")
                && !cell.equals("?");
    }
}
