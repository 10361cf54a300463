package dev.starling.spark.rows;

import dev.starling.data.RowKeys;
import dev.starling.data.Table;
import dev.starling.job.NodeRows;
import dev.starling.model.RecipeJson;
import dev.starling.table.Encoded;
import dev.starling.table.Recipe;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Rows that a recipe makes of columns; those that it leaves out do not count.
 *
 * @param columns what the rows consist of
 * @param recipe as JSON, nothing of which is left to learn
 * @param foldColumns those whose cells decide on the folds of rows; none where all that a row says does
 */
public record TablePacking(TableColumns columns, String recipe, List<String> foldColumns) implements Packing {

    /** Copies the list. */
    public TablePacking {
        foldColumns = List.copyOf(foldColumns);
    }

    @Override
    public Iterator<NodeRows> parts(int partition, Iterator<InternalRow> rows) {
        Recipe made = RecipeJson.read(recipe, "recipe");
        Iterator<Table> tables = columns.tables(partition, rows);
        return new LazyIterator<>() {
            @Override
            protected NodeRows make() {
                while (tables.hasNext()) {
                    Table table = tables.next();
                    Encoded encoded = made.encodePart(table, true);
                    if (!encoded.kept().isEmpty()) {
                        // Names are the recipe's, the same everywhere; nodes need not compare them.
                        return NodeRows.all(encoded.rows().withNames(List.of()), keys(table, encoded));
                    }
                }
                return null;
            }
        };
    }

    private long[] keys(Table table, Encoded encoded) {
        return foldColumns.isEmpty() ? new long[0] : RowKeys.ofCells(table, foldColumns, encoded.kept());
    }
}
