package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.Table;
import dev.starling.model.RecipeJson;
import dev.starling.table.Recipe;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Rows that a recipe makes of columns; those that it leaves out do not count.
 *
 * @param columns what the rows consist of
 * @param recipe as JSON, nothing of which is left to learn
 */
public record TablePacking(TableColumns columns, String recipe) implements Packing {

    @Override
    public Iterator<Dataset> parts(int partition, Iterator<InternalRow> rows) {
        Recipe made = RecipeJson.read(recipe, "recipe");
        Iterator<Table> tables = columns.tables(partition, rows);
        return new Parts<>() {
            @Override
            protected Dataset make() {
                while (tables.hasNext()) {
                    // Names are the recipe's, the same everywhere; nodes need not compare them.
                    Dataset part = made.encodePart(tables.next(), true).rows().withNames(List.of());
                    if (part.rows() > 0) {
                        return part;
                    }
                }
                return null;
            }
        };
    }
}
