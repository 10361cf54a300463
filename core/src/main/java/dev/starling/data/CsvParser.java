package dev.starling.data;

import dev.starling.data.keys.RowKeys;
import dev.starling.data.text.CellText;
import dev.starling.data.text.ColumnNames;
import dev.starling.data.text.CsvLine;
import dev.starling.data.text.NumberParser;
import java.util.List;

/** Parses lines of delimited numbers, one of which is the label. Cells may be enclosed in double quotes. */
final class CsvParser implements RowParser {

    private final byte delimiter;
    private final int fields;
    private final int labelField;
    private final List<String> names;

    /** The fields that make the key of a row, in the order in which they do; none if the columns have no names. */
    private final int[] keyFields;

    /** What was read of a row's fields, which its key is made of. */
    private static final class Fields {
        final double[] numbers;
        final int[] starts;
        final int[] ends;

        Fields(int count) {
            numbers = new double[count];
            starts = new int[count];
            ends = new int[count];
        }
    }

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
        this.keyFields = names.stream()
                .filter(name -> !ColumnNames.namesRows(name))
                .sorted()
                .mapToInt(names::indexOf)
                .toArray();
    }

    @Override
    public void parse(byte[] bytes, int length, ParsedRows rows) {
        rows.largestColumn = fields - 2;
        NumberParser numbers = new NumberParser();
        Fields read = new Fields(fields);
        int at = 0;
        while (at < length) {
            rows.lines++;
            int start = at;
            while (isSpace(bytes[at])) {
                at++;
            }
            if (bytes[at] != '\n') {
                at = row(bytes, start, numbers, read, rows);
                if (rows.isBad()) {
                    return;
                }
            }
            at++;
        }
    }

    /** Reads one row and returns the position of its line end; the result is meaningless if the row is bad. */
    private int row(byte[] bytes, int from, NumberParser numbers, Fields read, ParsedRows rows) {
        int at = from;
        for (int field = 0; field < fields; field++) {
            int quotes = 0;
            while (isPadding(bytes[at])) {
                quotes += bytes[at++] == '"' ? 1 : 0;
            }
            read.starts[field] = at;
            double value = numbers.parseDouble(bytes, at);
            at = Math.abs(value) <= Double.MAX_VALUE ? numbers.end() : -1;
            if (value != 0 && field != labelField) {
                rows.add(field < labelField ? field : field - 1, value);
            }
            read.numbers[field] = value;
            read.ends[field] = at;
            while (at >= 0 && isPadding(bytes[at])) {
                quotes -= bytes[at++] == '"' ? 1 : 0;
            }
            boolean last = field == fields - 1;
            boolean ends = at >= 0 && bytes[at] == (last ? '\n' : delimiter);
            if (ends && Math.abs(value) >= CsvLine.WHOLE && !names.isEmpty() && isRounded(bytes, read, field)) {
                rows.problem = "column '" + names.get(field) + "' holds "
                        + CellText.text(bytes, read.starts[field], read.ends[field])
                        + ", a whole number that a double cannot hold; subtract a constant, or read the file as a table,"
                        + " whose column can be declared numeric to round it";
                return from;
            }
            if (!ends || quotes != 0) {
                rows.problem = problem(bytes, from, field, ends);
                return from;
            }
            at++;
        }
        rows.endRow(read.numbers[labelField]);
        if (keyFields.length > 0) {
            rows.key(key(bytes, read));
        }
        return at - 1;
    }

    private long key(byte[] bytes, Fields read) {
        long key = 0;
        for (int field : keyFields) {
            key = RowKeys.ofNumber(key, read.numbers[field], bytes, read.starts[field], read.ends[field]);
        }
        return key;
    }

    private static boolean isRounded(byte[] bytes, Fields read, int field) {
        return CsvLine.isRounded(CellText.text(bytes, read.starts[field], read.ends[field]), read.numbers[field]);
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
