package dev.starling.spark;

import dev.starling.data.RowSample;
import dev.starling.data.Table;
import dev.starling.model.RecipeJson;
import dev.starling.spark.rows.TableColumns;
import dev.starling.table.Recipe;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;

/**
 * Leaves out the rows that are kept from training.
 *
 * @param columns what the recipe needs
 * @param recipe as JSON, nothing of which is left to learn
 * @param part which part of the rows is left out, and by which seed
 */
record TrainingRows(TableColumns columns, String recipe, double part, long seed)
        implements MapPartitionsFunction<Row, Row> {

    private static final String CELLS = "starling-cells";

    /** The rows of a DataFrame to train on, with the columns that a recipe needs. */
    static Dataset<Row> of(Dataset<?> frame, Recipe recipe, RowSample heldOut) {
        TableColumns columns = TableColumns.of(
                frame.schema(), recipe.needed(true).stream().distinct().toList());
        Dataset<Row> needed = frame.select(columns.columns().stream()
                .map(column -> TableColumns.named(column.name()))
                .toArray(Column[]::new));
        return needed.withColumn(CELLS, columns.cells())
                .mapPartitions(
                        new TrainingRows(columns, RecipeJson.text(recipe), heldOut.part(), heldOut.seed()),
                        Encoders.row(needed.schema()));
    }

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        Recipe made = RecipeJson.read(recipe, "recipe");
        RowSample heldOut = new RowSample(part, seed);
        return new RowBatches(columns, rows) {
            @Override
            Iterator<Row> made(List<Row> batch, Table table) {
                BitSet held = made.encodePart(table, true).in(heldOut);
                return IntStream.range(0, batch.size())
                        .filter(row -> !held.get(row))
                        .mapToObj(row -> replaced(batch.get(row)))
                        .iterator();
            }
        };
    }
}
