package dev.starling.table;

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
        List<ColumnSurvey> columns = table.names().stream()
                .map(name -> new ColumnSurvey(name, table.holdsWords(name)))
                .toList();
        int number = 0;
        for (Table.Cursor row = table.cursor(); row.next(); number++) {
            for (int c = 0; c < columns.size() && !ignored.get(number); c++) {
                columns.get(c).add(row, c, tokens);
            }
        }
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
