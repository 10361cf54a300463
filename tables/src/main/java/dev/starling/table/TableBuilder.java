package dev.starling.table;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.CellText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Builds a table cell by cell from a source other than a CSV file.
 *
 * <pre>{@code
 * TableBuilder builder = new TableBuilder("people", List.of("name", "age"));
 * builder.add("Ada");
 * builder.addMissing();
 * Table people = builder.build();
 * }</pre>
 */
public final class TableBuilder {

    private static final char DELIMITER = ',';
    private static final int USUAL_BLOCK = 1 << 22;

    private final String source;
    private final List<String> names;
    private final int blockBytes;
    private final Set<String> words = new HashSet<>();
    private final List<Table.Block> blocks = new ArrayList<>();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private int[] marks = new int[1 << 12];
    private int marked;
    private int cells;
    private long rowsBefore;

    /**
     * Starts a table without rows.
     *
     * @param source the name of the table in messages
     * @param names the names of the columns, all different
     */
    public TableBuilder(String source, List<String> names) {
        this(source, names, USUAL_BLOCK);
    }

    TableBuilder(String source, List<String> names, int blockBytes) {
        this.source = source;
        this.names = List.copyOf(names);
        this.blockBytes = blockBytes;
    }

    /** Declares that the cells of a column are text, even where they look like numbers. */
    public TableBuilder words(String column) {
        words.add(column);
        return this;
    }

    /** Sets how many rows of the source come before the table's first, so that messages count them too. */
    public TableBuilder after(long rows) {
        rowsBefore = rows;
        return this;
    }

    /** Adds the next cell, from left to right and row by row. */
    public void add(String cell) {
        mark();
        text.writeBytes(written(cell).getBytes(StandardCharsets.UTF_8));
        end();
    }

    /** Adds the next cell as a missing value. */
    public void addMissing() {
        mark();
        end();
    }

    /** The number of the row that the next cell belongs to, from 1 for the table's first. */
    public int row() {
        return blocks.stream().mapToInt(Table.Block::rows).sum() + marked / (names.size() + 1) + 1;
    }

    /** Returns an exception that says what is wrong with the next cell, and where it is. */
    public InvalidInputException problem(String what) {
        return new InvalidInputException(source + ", row " + (rowsBefore + row()) + ": column "
                + CellText.quoted(names.get(cells)) + " " + what);
    }

    /**
     * Returns the table of all rows so far.
     *
     * @throws InvalidInputException if there are no rows, or a column has no name or the same name as another
     */
    public Table build() {
        if (cells > 0) {
            throw new IllegalStateException("the last row has only " + cells + " of " + names.size() + " cells");
        }
        if (marked > 0 || blocks.isEmpty()) {
            endBlock();
        }
        String line = names.stream().map(TableBuilder::written).collect(Collectors.joining("" + DELIMITER));
        return new Table(source, new TableHeader(DELIMITER, names, line, 0, 0), blocks, Table.ROW, words);
    }

    private void mark() {
        if (marked + 2 > marks.length) {
            marks = Arrays.copyOf(marks, 2 * marks.length);
        }
        marks[marked++] = text.size();
        cells++;
    }

    private void end() {
        boolean last = cells == names.size();
        text.write(last ? '\n' : DELIMITER);
        if (last) {
            marks[marked++] = text.size();
            cells = 0;
            if (text.size() >= blockBytes) {
                endBlock();
            }
        }
    }

    private void endBlock() {
        int rows = marked / (names.size() + 1);
        blocks.add(Table.Block.of(text.toByteArray(), Arrays.copyOf(marks, marked), names.size(), rowsBefore, rows));
        text.reset();
        marked = 0;
    }

    /** Formats a cell for a CSV file: in quotes if it would otherwise be read as something else. */
    static String written(String cell) {
        boolean plain = !cell.isEmpty()
                && cell.strip().length() == cell.length()
                && cell.chars().noneMatch(c -> c == DELIMITER || c == '"' || c == '\n' || c == '\r');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
