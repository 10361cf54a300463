package dev.starling.data.text;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Splits single lines of a CSV file into text cells: for headers and error messages, never for rows of data. */
public final class CsvLine {

    /** The message for a line with an unclosed quote. */
    public static final String OPEN_QUOTE = "a double quote is not closed; quotes must come in pairs around a cell";

    /** Beyond this, doubles do not hold all whole numbers. */
    public static final double WHOLE = 0x1p53;

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[0-9]+");

    /** How many lines decide on the delimiter; few enough not to meet one that is cut off. */
    private static final int LOOKED_AT = 20;

    private CsvLine() {}

    /** Whether a whole number, written digit by digit, is not the double that was read for it. */
    public static boolean isRounded(String cell, double number) {
        return WHOLE_NUMBER.matcher(cell).matches() && new BigDecimal(cell).compareTo(new BigDecimal(number)) != 0;
    }

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

    /** Whether a line does nothing but name the delimiter, as spreadsheets write it. */
    static boolean namesDelimiter(String line) {
        return line.strip().matches("\"?sep=[\t;,|]\"?");
    }

    /**
     * The delimiter that the first line names, or else the one of tab, semicolon, comma and vertical bar that divides
     * the first lines most evenly; of several the first. Tabs and semicolons come before commas because they are rarer
     * in ordinary text.
     */
    static char delimiterOf(List<String> lines) {
        if (!lines.isEmpty() && namesDelimiter(lines.get(0))) {
            return lines.get(0).strip().replace("\"", "").charAt("sep=".length());
        }
        List<String> looked = lines.stream()
                .limit(LOOKED_AT)
                .filter(line -> !line.startsWith("#") && !hasOpenQuote(line))
                .toList();
        char best = ',';
        long most = 0;
        for (char delimiter : new char[] {'\t', ';', ',', '|'}) {
            long alike = looked.isEmpty() ? 0 : alike(looked, delimiter);
            if (alike > most) {
                best = delimiter;
                most = alike;
            }
        }
        return best;
    }

    /** How many lines a delimiter divides into as many cells as the first; 0 if it does not divide the first. */
    private static long alike(List<String> lines, char delimiter) {
        int cells = split(lines.get(0), delimiter).size();
        return cells == 1
                ? 0
                : lines.stream()
                        .filter(line -> split(line, delimiter).size() == cells)
                        .count();
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
