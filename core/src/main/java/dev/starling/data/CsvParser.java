package dev.starling.data;

import dev.starling.data.text.CellText;
import dev.starling.data.text.CsvLine;
import dev.starling.data.text.NumberParser;
import java.util.List;

/** Parses lines of delimited numbers, one of which is the label. Cells may be enclosed in double quotes. */
final class CsvParser implements RowParser {

    private final byte delimiter;
    private final int fields;
    private final int labelField;
    private final List<String> names;

    /**
     * @param delimiter the character between cells
     * @param fields how many cells each line has
     * @param labelField index of the label's cell, from 0
     * @param names the columns' names; empty if the file has none
     */
    CsvParser(byte delimiter, int fields, int labelField, List<String> names) {
        this.delimiter = delimiter;
        this.fields = fields;
        this.labelField = labelField;
        this.names = List.copyOf(names);
    }

    @Override
    public void parse(byte[] bytes, int length, ParsedRows rows) {
        rows.largestColumn = fields - 2;
        NumberParser numbers = new NumberParser();
        int at = 0;
        while (at < length) {
            rows.lines++;
            int start = at;
            while (isSpace(bytes[at])) {
                at++;
            }
            if (bytes[at] != '\n') {
                at = row(bytes, start, numbers, rows);
                if (rows.isBad()) {
                    return;
                }
            }
            at++;
        }
    }

    /** Reads one row and returns the position of its line end; the result is meaningless if the row is bad. */
    private int row(byte[] bytes, int from, NumberParser numbers, ParsedRows rows) {
        int at = from;
        double label = 0;
        for (int field = 0; field < fields; field++) {
            int quotes = 0;
            while (isPadding(bytes[at])) {
                quotes += bytes[at++] == '"' ? 1 : 0;
            }
            if (field == labelField) {
                label = numbers.parseDouble(bytes, at);
                at = Math.abs(label) <= Double.MAX_VALUE ? numbers.end() : -1;
            } else {
                double value = numbers.parseDouble(bytes, at);
                at = Math.abs(value) <= Double.MAX_VALUE ? numbers.end() : -1;
                if (value != 0) {
                    rows.add(field < labelField ? field : field - 1, value);
                }
            }
            while (at >= 0 && isPadding(bytes[at])) {
                quotes -= bytes[at++] == '"' ? 1 : 0;
            }
            boolean last = field == fields - 1;
            boolean ends = at >= 0 && bytes[at] == (last ? '\n' : delimiter);
            if (!ends || quotes != 0) {
                rows.problem = problem(bytes, from, field, ends);
                return from;
            }
            at++;
        }
        rows.endRow(label);
        return at - 1;
    }

    private boolean isSpace(byte c) {
        return c == ' ' || c == '\r' || c == '\t';
    }

    private boolean isPadding(byte c) {
        return c == ' ' || c == '"' || c == '\r' || (c == '\t' && delimiter != '\t');
    }

    /** Describes what is wrong with a field: its quotes, if it ends where it should. */
    private String problem(byte[] bytes, int lineStart, int field, boolean ends) {
        int lineEnd = lineStart;
        while (bytes[lineEnd] != '\n') {
            lineEnd++;
        }
        String line = CellText.text(bytes, lineStart, lineEnd);
        if (CsvLine.hasOpenQuote(line)) {
            return CsvLine.OPEN_QUOTE;
        }
        List<String> cells = CsvLine.split(line, (char) delimiter);
        if (cells.size() != fields) {
            return cells.size() + (cells.size() == 1 ? " field" : " fields") + "; the first line has " + fields;
        }
        if (ends) {
            return CsvLine.OPEN_QUOTE;
        }
        String cell = cells.get(field);
        return badCell(cell, field);
    }

    private String badCell(String cell, int field) {
        String column = "column " + (field + 1) + (names.isEmpty() ? "" : " (" + names.get(field) + ")");
        if (cell.isEmpty()) {
            return column + " is empty; fill in missing values or drop such rows";
        }
        if (CellText.isNotFinite(cell) || CsvLine.isNumber(cell)) {
            return column + " holds " + cell + "; "
                    + (field == labelField ? "labels must be finite" : "values must be finite");
        }
        return column + " holds " + CellText.quoted(cell)
                + ", which is not a number; encode categories and dates as numbers or drop the column";
    }
}
