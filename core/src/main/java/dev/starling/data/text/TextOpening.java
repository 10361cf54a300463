package dev.starling.data.text;

import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The first lines of a text, which say what format it has.
 *
 * @param csv whether they are CSV rather than LIBSVM text
 * @param mark length of the byte-order mark in bytes; 0 if there is none
 * @param lines those that are not blank; of CSV, without comments and a line {@code sep=} before the first row
 * @param delimiter the character between the cells of CSV
 */
public record TextOpening(boolean csv, int mark, List<Line> lines, char delimiter) {

    private static final Pattern PAIR = Pattern.compile("\\s[+-]?[0-9]+:[^\\s,;]*(\\s|$)");

    /**
     * A line that is not blank.
     *
     * @param startByte the position of its first byte
     * @param endByte the position after its line end
     * @param number its number in the file, from 1
     */
    public record Line(String text, int startByte, int endByte, int number) {}

    /**
     * Looks at the first lines.
     *
     * @param bytes the beginning of the text, at least its first line that is not blank
     * @param file the name of the text in messages
     */
    public static TextOpening of(byte[] bytes, Format format, String file) {
        requireUtf8(bytes, file);
        int mark = startsWithByteOrderMark(bytes) ? 3 : 0;
        List<Line> lines = lines(bytes, mark);
        if (lines.size() == 1 && lines.get(0).text.stripTrailing().indexOf('\r') >= 0) {
            throw new InvalidInputException(
                    file + " ends its lines with carriage returns alone; convert it, as with tr '\\r' '\\n'");
        }
        boolean csv = format == Format.CSV || (format == Format.AUTO && looksLikeCsv(lines));
        char delimiter =
                csv ? CsvLine.delimiterOf(lines.stream().map(Line::text).toList()) : ',';
        return new TextOpening(csv, mark, csv ? withoutPreamble(lines, delimiter) : lines, delimiter);
    }

    /** Leaves out comments, unless one is the line of names, and the line in which spreadsheets name the delimiter. */
    private static List<Line> withoutPreamble(List<Line> lines, char delimiter) {
        int first = 0;
        while (first + 1 < lines.size() && isPreamble(lines.get(first).text, lines.get(first + 1).text, delimiter)) {
            first++;
        }
        return lines.subList(first, lines.size());
    }

    private static boolean isPreamble(String line, String next, char delimiter) {
        return CsvLine.namesDelimiter(line)
                || (line.startsWith("#")
                        && (next.startsWith("#")
                                || CsvLine.split(line, delimiter).size()
                                        != CsvLine.split(next, delimiter).size()));
    }

    /**
     * Whether a line holds an {@code index:value} pair of LIBSVM. A file with neither pairs nor delimiters may be a
     * table with one column.
     */
    public boolean hasPairs() {
        return lines.stream().anyMatch(line -> PAIR.matcher(line.text).find());
    }

    /** The cells of a line of CSV; none if there is no such line. */
    public List<String> cells(int line) {
        return line < lines.size() ? CsvLine.split(lines.get(line).text, delimiter) : List.of();
    }

    /**
     * Whether the first line is a header: one of its names stands above a number, it holds nothing but names, perhaps
     * after an empty cell, or it counts the columns.
     */
    public boolean isHeader() {
        List<String> first = cells(0);
        List<String> second = cells(1);
        for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
            if (CsvLine.isText(first.get(i)) && CsvLine.isNumber(second.get(i))) {
                return true;
            }
        }
        List<String> names = hasRowNames() ? first.subList(1, first.size()) : first;
        return names.stream().allMatch(CsvLine::isText) || countsColumns(names);
    }

    /** Whether the first cell is empty above cells that are not: a column that names the rows. */
    public boolean hasRowNames() {
        return cells(0).size() > 1
                && cells(0).get(0).isEmpty()
                && lines.size() > 1
                && !cells(1).get(0).isEmpty();
    }

    /** Refuses a line of names that ends with a delimiter where the next does not, or lacks a name for each line. */
    public void requireEvenHeader(String where) {
        List<String> names = cells(0);
        int next = cells(1).size();
        if (names.size() == next + 1 && names.get(names.size() - 1).isEmpty()) {
            throw new InvalidInputException(where + "the line of names ends with a delimiter, and the next line has "
                    + next + (next == 1 ? " cell" : " cells") + "; remove the delimiter after the last name");
        }
        if (lines.size() > 2
                && next == names.size() + 1
                && !cells(1).get(next - 1).isEmpty()
                && IntStream.range(1, Math.min(lines.size(), 10)).allMatch(i -> cells(i).size() == next)) {
            throw new InvalidInputException(where + names.size()
                    + (names.size() == 1 ? " name" : " names") + " for " + next
                    + " columns; put a name before the first if that column names the rows, as R's write.table does"
                    + " with col.names = NA, add the name that is missing, or put cells that hold "
                    + (delimiter == '\t' ? "a tab" : "'" + delimiter + "'") + " in quotes");
        }
    }

    /** Whether the first line holds nothing but names, and the next has a number below one of them. */
    public boolean hasNamesAboveNumbers() {
        return lines.size() > 1
                && cells(0).stream().allMatch(CsvLine::isText)
                && cells(1).stream().anyMatch(CsvLine::isNumber);
    }

    /**
     * Whether cells count upwards as those of the next line do not: from 0 or 1 above numbers some of which are not
     * whole, in four cells or more from any number, such as a year; or in four cells or more from 0 above any numbers.
     */
    private boolean countsColumns(List<String> cells) {
        if (!isCount(cells) || isCount(cells(1))) {
            return false;
        }
        boolean many = cells.size() > 3;
        boolean decimals = cells(1).stream().anyMatch(cell -> CsvLine.isNumber(cell) && cell.indexOf('.') >= 0);
        return decimals
                ? many || cells.get(0).matches("[01]")
                : many && cells.get(0).equals("0");
    }

    /** Whether three cells or more hold consecutive whole numbers. */
    private static boolean isCount(List<String> cells) {
        if (cells.size() < 3 || !cells.get(0).matches("[0-9]{1,9}")) {
            return false;
        }
        int start = Integer.parseInt(cells.get(0));
        return IntStream.range(0, cells.size()).allMatch(k -> cells.get(k).equals(String.valueOf(start + k)));
    }

    /** UTF-16 has a zero byte in every Latin letter; UTF-8 text has no zero bytes. */
    private static void requireUtf8(byte[] bytes, String file) {
        int start = bytes.length < 2 ? 0 : ((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF);
        if (start == 0xFFFE || start == 0xFEFF) {
            throw new InvalidInputException(file + " is UTF-16 text; convert it to UTF-8");
        }
        for (byte c : bytes) {
            if (c == 0) {
                throw new InvalidInputException(
                        file + " holds zero bytes, as UTF-16 text does; if it is UTF-16, convert it to UTF-8");
            }
        }
    }

    private static boolean startsWithByteOrderMark(byte[] bytes) {
        return bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
    }

    private static List<Line> lines(byte[] bytes, int from) {
        List<Line> lines = new ArrayList<>();
        int start = from;
        int number = 0;
        for (int i = from; i <= bytes.length && lines.size() < 1000; i++) {
            if (i == bytes.length || bytes[i] == '\n') {
                number++;
                String text = new String(bytes, start, i - start, StandardCharsets.UTF_8);
                if (!text.isBlank()) {
                    lines.add(new Line(text, start, Math.min(i + 1, bytes.length), number));
                }
                start = i + 1;
            }
        }
        return lines;
    }

    /** The first line with a pair or a delimiter decides; lines with neither are rows without features. */
    private static boolean looksLikeCsv(List<Line> lines) {
        for (Line line : lines) {
            int comment = line.text.indexOf('#');
            String text = comment < 0 ? line.text : line.text.substring(0, comment);
            if (PAIR.matcher(text).find()) {
                return false;
            }
            if (text.strip().matches("(?s).*[,;|\t].*")) {
                return true;
            }
        }
        return false;
    }
}
