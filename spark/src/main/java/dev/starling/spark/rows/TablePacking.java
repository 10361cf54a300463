package dev.starling.spark.rows;

import dev.starling.job.NodeRows;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeJson;
import dev.starling.table.Table;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Converts columns to rows by a recipe; rows that the recipe drops do not count.
 *
 * @param columns the columns of the rows
 * @param recipe a recipe with nothing left to learn, as JSON
 * @param foldColumns the columns whose cells determine the folds of rows; empty if whole rows determine them
 */
public record TablePacking(TableColumns columns, String recipe, List<String> foldColumns) implements Packing {

    /** Copies the list. */
    public TablePacking {
        foldColumns = List.copyOf(foldColumns);
    }

    @Override
    public Iterator<NodeRows> parts(int partition, Iterator<InternalRow> rows) {
        Recipe parsed = RecipeJson.read(recipe, "recipe");
        Iterator<Table> tables = columns.tables(partition, rows);
        return new LazyIterator<>() {
            @Override
            protected NodeRows make() {
                while (tables.hasNext()) {
                    Table table = tables.next();
                    Encoded encoded = parsed.encodePart(table, true);
                    if (!encoded.kept().isEmpty()) {
                        // Names come from the recipe and are the same everywhere, so nodes need not compare them.
                        return NodeRows.all(encoded.rows().withNames(List.of()), keys(table, encoded));
                    }
                }
                return null;
            }
        };
    }

    private long[] keys(Table table, Encoded encoded) {
        return foldColumns.isEmpty() ? new long[0] : table.keys(foldColumns, encoded.kept());
    }
}
