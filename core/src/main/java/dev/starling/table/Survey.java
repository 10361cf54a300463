package dev.starling.table;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Table;
import java.util.BitSet;
import java.util.List;

/**
 * All that a recipe is learnt from: what the rows of a table say of each of its columns. Nothing else of the rows goes
 * into a recipe.
 *
 * @param source what the table is called in messages
 * @param rows how many rows it has
 * @param columns its columns, in order
 */
public record Survey(String source, long rows, List<ColumnSurvey> columns) {

    /** Copies the list. */
    public Survey {
        columns = List.copyOf(columns);
    }

    /** Looks at a table in which empty cells, NA and ? mean that nothing is known. */
    public static Survey of(Table table) {
        return of(table, MissingTokens.USUAL);
    }

    /**
     * Looks at a table.
     *
     * @param missingTokens cells that say that nothing is known
     */
    public static Survey of(Table table, List<String> missingTokens) {
        return of(table, missingTokens, new BitSet());
    }

    /**
     * Looks at some rows of a table.
     *
     * @param missingTokens cells that say that nothing is known
     * @param ignored the rows, from 0, that are not looked at
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
     * The column of a name.
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
