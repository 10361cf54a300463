package dev.starling.table;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.CellText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Builds a table from whole columns, which are not copied.
 *
 * <pre>{@code
 * Table people = new TableColumns("people")
 *         .numbers("age", 31, Double.NaN)
 *         .levels("town", List.of("Ulm", "Bern"), 0, 1)
 *         .build();
 * }</pre>
 */
public final class TableColumns {

    private static final char DELIMITER = ',';

    private final String source;
    private final List<String> names = new ArrayList<>();
    private final List<Cells> columns = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private final Set<String> words = new HashSet<>();

    /**
     * Starts a table without columns.
     *
     * @param source the name of the table in messages
     */
    public TableColumns(String source) {
        this.source = source;
    }

    /**
     * Adds a column of finite numbers, NaN where they are missing.
     *
     * @throws InvalidInputException if one is infinite
     */
    public TableColumns numbers(String name, double... numbers) {
        for (int row = 0; row < numbers.length; row++) {
            if (Double.isInfinite(numbers[row])) {
                throw new InvalidInputException(source + ", row " + (row + 1) + ": column " + CellText.quoted(name)
                        + " is infinite; give a finite number, or NaN for a missing value");
            }
        }
        return add(name, Cells.ofNumbers(numbers), numbers.length);
    }

    /**
     * Adds a column of text.
     *
     * @param places for each row, the place of its text among these, from 0; −1 where it is missing
     * @throws InvalidInputException if there is no such text
     */
    public TableColumns levels(String name, List<String> levels, int... places) {
        for (int place : places) {
            if (place < -1 || place >= levels.size()) {
                throw new InvalidInputException("column '" + name + "' has the code " + place + "; there are "
                        + levels.size() + " levels, from 0, and -1 for a missing value");
            }
        }
        words.add(name);
        return add(name, Cells.ofLevels(places, levels), places.length);
    }

    private TableColumns add(String name, Cells cells, int rows) {
        names.add(name);
        columns.add(cells);
        lengths.add(rows);
        return this;
    }

    /**
     * Returns the table.
     *
     * @throws InvalidInputException if there are no rows, columns differ in their rows, or a column has no name or the
     *     same name as another
     */
    public Table build() {
        Set<Integer> different = new HashSet<>(lengths);
        if (different.size() != 1) {
            throw new InvalidInputException("columns with different numbers of rows: " + different);
        }
        String line = names.stream().map(TableBuilder::written).collect(Collectors.joining("" + DELIMITER));
        Table.Block all = new Table.Block(columns, lengths.get(0), 0);
        return new Table(source, new TableHeader(DELIMITER, names, line, 0, 0), List.of(all), Table.ROW, words);
    }
}
