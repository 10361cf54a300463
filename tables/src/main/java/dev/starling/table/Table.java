package dev.starling.table;

import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowKeys;
import dev.starling.data.text.CellText;
import dev.starling.data.text.ColumnNames;
import dev.starling.data.text.NumberParser;
import dev.starling.table.parquet.ParquetWriter;
import java.io.ByteArrayOutputStream;
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
     * @param columns their cells
     * @param rows number of rows
     * @param linesBefore how many lines of the file come before this block; for another source, how many of its rows
     *     come before the table
     * @param lines the line of each row, from 0; empty if every line is a row
     */
    record Block(List<Cells> columns, int rows, long linesBefore, int... lines) {

        /**
         * Some rows, given their text.
         *
         * @param marks for each row, where each of its cells starts, then the position after the record's last byte
         * @param lines how many lines the text has
         */
        static Block of(byte[] bytes, int[] marks, int width, long linesBefore, int lines) {
            int rows = marks.length / (width + 1);
            return new Block(
                    Cells.of(bytes, marks, width),
                    rows,
                    linesBefore,
                    lines == rows ? new int[0] : linesOf(bytes, marks, width, rows));
        }

        private static int[] linesOf(byte[] bytes, int[] marks, int width, int rows) {
            int[] lines = new int[rows];
            int line = 0;
            int at = 0;
            for (int row = 0; row < rows; row++) {
                for (; at < marks[row * (width + 1)]; at++) {
                    line += bytes[at] == '\n' ? 1 : 0;
                }
                lines[row] = line;
            }
            return lines;
        }
    }

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
        private Cells[] columns;
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
            columns = columns();
        }

        private Cells[] columns() {
            return blocks.get(block).columns.toArray(Cells[]::new);
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
                columns = columns();
            }
            row++;
            parsedColumn = -1;
            return true;
        }

        /** The number of the row's first line in the file, from 1. */
        public long line() {
            Block here = blocks.get(block);
            return here.linesBefore + 1 + (here.lines.length == 0 ? rowOfBlock : here.lines[rowOfBlock]);
        }

        /** Where the row is, for messages: its line number in a file, or else its row number, from 1. */
        public String place() {
            return unit + " " + (isFile() ? line() : row);
        }

        /**
         * Which one of the texts of this {@linkplain #block block}'s rows a cell has, if they are kept once, so that
         * what is made of each need be made only once, too; −1 if they are not.
         */
        public int code(int column) {
            return columns[column].code(rowOfBlock);
        }

        /** The cells of a column among which equal codes mean equal texts. */
        Cells cells(int column) {
            return columns[column];
        }

        /** How many texts are kept once in this block's rows. */
        public int codes(int column) {
            return columns[column].codes();
        }

        /** The rows among which equal codes mean equal texts: a number from 0. */
        public int block() {
            return block;
        }

        /** The text of a cell: without its quotes, or without surrounding blanks if it has none. */
        public String text(int column) {
            return columns[column].text(rowOfBlock, texts);
        }

        /**
         * The first byte of a cell's text or quotes, 0 if it is empty; a quote if it is a number that was never
         * written.
         */
        int firstByte(int column) {
            return columns[column].firstByte(rowOfBlock);
        }

        /** A number for what a cell says, whichever way a number is written; as {@link RowKeys#ofCell} has it. */
        public long key(int column) {
            return key(0, column, text(column));
        }

        /** Mixes a cell into the key of its row; all the usual ways to write a missing value are the same. */
        private long key(long before, int column) {
            String text = text(column).strip();
            return key(before, column, MissingTokens.isUsual(text) ? "" : text);
        }

        private long key(long before, int column, String text) {
            byte[] bytes = columns[column].bytes(rowOfBlock);
            int to = columns[column].to(rowOfBlock);
            int start = Cells.start(bytes, columns[column].from(rowOfBlock), to);
            int end = Cells.end(bytes, start, to);
            if (start < end && bytes[start] != '"') {
                double number = numbers.parseDouble(bytes, start);
                if (numbers.end() == end && !Double.isNaN(number)) {
                    return RowKeys.ofNumber(before, number, bytes, start, end);
                }
            }
            return RowKeys.ofCell(before, text);
        }

        /** The value of a cell that holds a plain decimal number; NaN if it holds anything else. May be infinite. */
        public double number(int column) {
            if (column != parsedColumn) {
                parsed = columns[column].number(rowOfBlock, numbers);
                parsedColumn = column;
            }
            return parsed;
        }

        /** The whole row as it was written, without the line end. */
        public String record() {
            ByteArrayOutputStream record = new ByteArrayOutputStream();
            for (int column = 0; column < columns.length; column++) {
                if (column > 0) {
                    record.write(delimiter);
                }
                int from = columns[column].from(rowOfBlock);
                record.write(columns[column].bytes(rowOfBlock), from, columns[column].to(rowOfBlock) - from);
            }
            String text = record.toString(StandardCharsets.UTF_8);
            int end = text.length();
            while (end > 0 && text.charAt(end - 1) == '\r') {
                end--;
            }
            return text.substring(0, end);
        }

        /** Returns an exception that says what is wrong with a cell of this row, and where it is. */
        public InvalidInputException problem(int column, String text) {
            return new InvalidInputException(
                    source + ", " + place() + ": column " + CellText.quoted(names.get(column)) + " " + text);
        }
    }
}
