package dev.starling.table;

import dev.starling.cores.Loops;
import dev.starling.data.InvalidInputException;
import java.util.BitSet;
import java.util.List;

/**
 * Statistics of every column of a table, which are all that a recipe is learnt from: nothing else of the rows goes into
 * it.
 *
 * @param source the name of the table in messages
 * @param rows number of rows
 * @param columns its columns, in order
 */
public record Survey(String source, long rows, List<ColumnSurvey> columns) {

    /** How many columns and rows one thread surveys at a time. */
    private static final int AT_ONCE = 16;

    private static final int ROWS_AT_ONCE = 1 << 14;

    private static final int PARTS_AT_ONCE = 32;

    /** Copies the list. */
    public Survey {
        columns = List.copyOf(columns);
    }

    /** Surveys a table in which the usual tokens, such as an empty cell or NA, are missing values. */
    public static Survey of(Table table) {
        return of(table, MissingTokens.USUAL);
    }

    /**
     * Surveys a table.
     *
     * @param missingTokens cells that mean a missing value
     */
    public static Survey of(Table table, List<String> missingTokens) {
        return of(table, missingTokens, new BitSet());
    }

    /**
     * Surveys some rows of a table.
     *
     * @param missingTokens cells that mean a missing value
     * @param ignored indices of the rows, from 0, that are left out
     */
    public static Survey of(Table table, List<String> missingTokens, BitSet ignored) {
        MissingTokens tokens = new MissingTokens(missingTokens);
        int width = table.names().size();
        int groups = (width + AT_ONCE - 1) / AT_ONCE;
        int parts = (table.rows() + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
        List<CellCounts> counts = table.names().stream()
                .map(name -> new CellCounts(name, table.holdsWords(name)))
                .toList();
        // The first rows tell in which columns there is no need to count every value apart.
        for (int first = 0, count = 1; first < parts; first += count, count = Math.min(PARTS_AT_ONCE, parts - first)) {
            int from = first;
            CellCounts[][] ofParts = new CellCounts[count][width];
            Loops.run(count * groups, k -> {
                CellCounts[] part = ofParts[k / groups];
                int start = AT_ONCE * (k % groups);
                int end = Math.min(width, start + AT_ONCE);
                for (int c = start; c < end; c++) {
                    part[c] = counts.get(c).ofLaterRows();
                }
                int number = ROWS_AT_ONCE * (from + k / groups);
                int until = Math.min(table.rows(), number + ROWS_AT_ONCE);
                for (Table.Cursor row = table.cursor(number, until); row.next(); number++) {
                    for (int c = start; c < end && !ignored.get(number); c++) {
                        part[c].add(row, c, tokens);
                    }
                }
            });
            for (CellCounts[] part : ofParts) {
                for (int c = 0; c < width; c++) {
                    counts.get(c).add(part[c]);
                }
            }
        }
        // The numbers of a column are read again if something depends on them, which is seldom.
        List<ColumnSurvey> columns = counts.stream()
                .map(column -> new ColumnSurvey(
                        column,
                        new NumberList(() -> PartialSurvey.numbers(table, column.name, missingTokens, ignored))))
                .toList();
        return new Survey(table.source(), table.rows() - ignored.cardinality(), columns);
    }

    /** The names of all columns. */
    public List<String> names() {
        return columns.stream().map(ColumnSurvey::name).toList();
    }

    /**
     * Returns the column with the given name.
     *
     * @throws InvalidInputException if there is none
     */
    public ColumnSurvey column(String name) {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(source + ": "
                        + InvalidInputException.unknownName("column", name, names())
                                .getMessage()));
    }
}
