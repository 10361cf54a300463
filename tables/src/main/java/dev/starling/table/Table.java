package dev.starling.table;

import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowKeys;
import dev.starling.data.text.CellText;
import dev.starling.data.text.ColumnNames;
import dev.starling.data.text.NumberParser;
import dev.starling.table.parquet.ParquetWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table of text with named columns, such as the cells of a CSV file exactly as written; a recipe says later what the
 * text means. Immutable; read by a {@link TableReader}, or built from another source by a {@link TableBuilder}.
 *
 * <pre>{@code
 * Table people = TableReader.standard().read(Path.of("people.csv"));
 * for (Table.Cursor row = people.cursor(); row.next(); ) {
 *     String town = row.text(people.names().indexOf("town"));
 * }
 * }</pre>
 */
public final class Table {

    /**
     * Some rows of the file.
     *
     * @param bytes their text, and nothing else
     * @param marks for each row, where each of its cells starts, then the position after the record's last byte
     * @param rows number of rows
     * @param linesBefore how many lines of the file come before this block; for another source, how many of its rows
     *     come before the table
     * @param lines how many lines it has; as many as rows, unless cells have line ends or lines are blank
     */
    record Block(byte[] bytes, int[] marks, int rows, long linesBefore, int lines) {}

    static final String LINE = "line";
    static final String ROW = "row";

    private final String source;
    private final List<String> names;
    private final String header;
    private final char delimiter;
    private final List<Block> blocks;
    private final int rows;
    private final String unit;
    private final Set<String> words;

    /** Creates a table from a file, whose lines are counted. */
    Table(String source, TableHeader header, List<Block> blocks) {
        this(source, header, blocks, LINE, Set.of());
    }

    /**
     * @param unit what messages count: {@link #LINE} or {@link #ROW}
     * @param words columns whose cells are known to be text, whatever they look like
     */
    Table(String source, TableHeader header, List<Block> blocks, String unit, Set<String> words) {
        this.source = source;
        this.unit = unit;
        this.words = Set.copyOf(words);
        this.names = header.names();
        this.header = header.line();
        this.delimiter = header.delimiter();
        this.blocks = List.copyOf(blocks);
        this.rows = blocks.stream().mapToInt(Block::rows).sum();
        ColumnNames.require(names, source + ": ");
        if (rows == 0) {
            throw new InvalidInputException(source + " holds no rows; at least one is needed");
        }
    }

    @Override
    public String toString() {
        return "Table[" + source + ", " + rows + " rows × " + names.size() + " columns]";
    }

    /** The name of the table in messages. */
    public String source() {
        return source;
    }

    /** The names of the columns, all different. */
    public List<String> names() {
        return names;
    }

    /** The header line as it was written, without its line end; empty if the names were not in the file. */
    public String header() {
        return header;
    }

    /** Whether it was read from a file of text rather than built. */
    public boolean isFile() {
        return unit.equals(LINE);
    }

    /** The character between cells. */
    public char delimiter() {
        return delimiter;
    }

    /** Number of rows. */
    public int rows() {
        return rows;
    }

    /** Whether the source declares the cells of a column to be text, even where they look like numbers. */
    public boolean holdsWords(String column) {
        return words.contains(column);
    }

    /**
     * The name of the column that holds the label.
     *
     * @param wanted its name, its number from 1, or {@code last}; if empty, the column called {@code label},
     *     {@code target}, {@code y} or {@code class}
     * @throws InvalidInputException if there is no such column
     */
    public String labelColumn(Optional<String> wanted) {
        return names.get(ColumnNames.namedLabel(names, wanted, source + ": "));
    }

    /**
     * The keys of some rows as they are in the table, whatever a recipe makes of them: by their cells in the columns
     * that identify rows, or else by all their cells, in any order of the columns.
     *
     * @param ids the names of columns that identify rows; those that the table lacks do not count
     */
    public long[] keysOf(List<String> ids, List<Integer> kept) {
        List<String> known = ids.stream().filter(names::contains).toList();
        return keys(
                known.isEmpty()
                        ? names.stream()
                                .filter(name -> !namesRows(name))
                                .sorted()
                                .toList()
                        : known,
                kept);
    }

    /**
     * The keys of some rows by their cells in some columns; all the usual ways to write a missing value are the same.
     *
     * @param columns the names of the columns
     * @param kept indices of the rows, from 0, ascending
     * @throws InvalidInputException if the table lacks a column
     */
    public long[] keys(List<String> columns, List<Integer> kept) {
        int[] places = new int[columns.size()];
        for (int c = 0; c < places.length; c++) {
            places[c] = names.indexOf(columns.get(c));
            if (places[c] < 0) {
                throw InvalidInputException.unknownName("column", columns.get(c), names);
            }
        }
        long[] keys = new long[kept.size()];
        int row = 0;
        int next = 0;
        for (Cursor cursor = cursor(); next < keys.length && cursor.next(); row++) {
            if (row == kept.get(next)) {
                long key = 0;
                for (int place : places) {
                    key = cursor.key(key, place);
                }
                // A row that was kept twice has one key.
                while (next < keys.length && row == kept.get(next)) {
                    keys[next++] = key;
                }
            }
        }
        return keys;
    }

    /** Whether a column with this name only names or numbers the rows, so that nothing is learnt from it unasked. */
    public static boolean namesRows(String column) {
        return ColumnNames.namesRows(column);
    }

    /** The table as a Parquet file: numbers as doubles, all else as text, empty cells as null. */
    public byte[] parquet() {
        return ParquetWriter.bytes(this);
    }

    /** Returns a cursor before the first row. */
    public Cursor cursor() {
        return cursor(0, rows);
    }

    /** Returns a cursor before some row, which ends before another. */
    public Cursor cursor(int from, int to) {
        return new Cursor(from, to);
    }

    /** Moves from row to row. */
    public final class Cursor {
        private final NumberParser numbers = new NumberParser();
        private final Texts texts = new Texts();
        private int block;
        private int rowOfBlock;
        private byte[] bytes = blocks.get(0).bytes;
        private int[] marks = blocks.get(0).marks;
        private int mark;
        private long row;
        private int left;

        /** The column whose cell was parsed last, because the same one is often asked for again, and its number. */
        private int parsedColumn = -1;

        private double parsed;

        private Cursor(int from, int to) {
            left = to - from;
            row = from + (isFile() ? 0 : blocks.get(0).linesBefore);
            rowOfBlock = from - 1;
            while (rowOfBlock >= blocks.get(block).rows) {
                rowOfBlock -= blocks.get(block++).rows;
            }
        }

        /** Moves to the next row and returns whether there is one. */
        public boolean next() {
            if (left == 0) {
                return false;
            }
            left--;
            rowOfBlock++;
            while (rowOfBlock == blocks.get(block).rows) {
                block++;
                rowOfBlock = 0;
            }
            bytes = blocks.get(block).bytes;
            marks = blocks.get(block).marks;
            mark = rowOfBlock * (names.size() + 1);
            row++;
            parsedColumn = -1;
            return true;
        }

        /** The number of the row's first line in the file, from 1. */
        public long line() {
            Block here = blocks.get(block);
            long line = here.linesBefore + 1;
            if (here.lines == here.rows) {
                return line + rowOfBlock;
            }
            for (int i = 0; i < marks[mark]; i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            return line;
        }

        /** Where the row is, for messages: its line number in a file, or else its row number, from 1. */
        public String place() {
            return unit + " " + (isFile() ? line() : row);
        }

        /** The text of a cell: without its quotes, or without surrounding blanks if it has none. */
        public String text(int column) {
            int start = start(column);
            int end = end(column, start);
            if (start < end && bytes[start] == '"') {
                String quoted = texts.of(bytes, start + 1, end - 1);
                return quoted.indexOf('"') < 0 ? quoted : quoted.replace("\"\"", "\"");
            }
            return texts.of(bytes, start, end);
        }

        /** The first byte of a cell's text or quotes; 0 if it is empty. */
        int firstByte(int column) {
            int start = start(column);
            return start < end(column, start) ? bytes[start] & 0xFF : 0;
        }

        /** A number for what a cell says, whichever way a number is written; as {@link RowKeys#ofCell} has it. */
        public long key(int column) {
            int start = start(column);
            int end = end(column, start);
            if (start < end && bytes[start] != '"') {
                double number = numbers.parseDouble(bytes, start);
                if (numbers.end() == end && !Double.isNaN(number)) {
                    return RowKeys.ofNumber(0, number, bytes, start, end);
                }
            }
            return RowKeys.ofCell(0, text(column));
        }

        private double unquotedNumber(int column) {
            return firstByte(column) == '"' ? Double.NaN : number(column);
        }

        /** Mixes a cell into the key of its row; all the usual ways to write a missing value are the same. */
        private long key(long before, int column) {
            double number = unquotedNumber(column);
            if (!Double.isNaN(number)) {
                return RowKeys.ofNumber(before, number, bytes, start(column), numbers.end());
            }
            String text = text(column).strip();
            return RowKeys.ofCell(before, MissingTokens.isUsual(text) ? "" : text);
        }

        /** The value of a cell that holds a plain decimal number; NaN if it holds anything else. May be infinite. */
        public double number(int column) {
            if (column != parsedColumn) {
                parsed = parse(column);
                parsedColumn = column;
            }
            return parsed;
        }

        private double parse(int column) {
            int start = start(column);
            int end = end(column, start);
            if (end - start >= 2 && bytes[start] == '"') {
                start++;
                end--;
                while (start < end && bytes[start] == ' ') {
                    start++;
                }
                while (start < end && bytes[end - 1] == ' ') {
                    end--;
                }
            }
            if (start >= end) {
                return Double.NaN;
            }
            double number = numbers.parseDouble(bytes, start);
            return numbers.end() == end ? number : Double.NaN;
        }

        /** The whole row as it was written, without the line end. */
        public String record() {
            int start = marks[mark];
            int end = marks[mark + names.size()] - 1;
            while (end > start && bytes[end - 1] == '\r') {
                end--;
            }
            return new String(bytes, start, end - start, StandardCharsets.UTF_8);
        }

        /** Returns an exception that says what is wrong with a cell of this row, and where it is. */
        public InvalidInputException problem(int column, String text) {
            return new InvalidInputException(
                    source + ", " + place() + ": column " + CellText.quoted(names.get(column)) + " " + text);
        }

        private int start(int column) {
            int start = marks[mark + column];
            int end = marks[mark + column + 1] - 1;
            while (start < end && isBlank(bytes[start])) {
                start++;
            }
            return start;
        }

        private int end(int column, int start) {
            int end = marks[mark + column + 1] - 1;
            while (end > start && isBlank(bytes[end - 1])) {
                end--;
            }
            return end;
        }

        private boolean isBlank(byte c) {
            return c == ' ' || c == '\t' || c == '\r';
        }
    }
}
