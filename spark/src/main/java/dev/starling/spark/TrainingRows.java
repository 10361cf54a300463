package dev.starling.spark;

import dev.starling.data.RowSample;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeJson;
import dev.starling.spark.rows.TableColumns;
import dev.starling.table.Table;
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
 * Drops the rows that are held out from training.
 *
 * @param columns the columns that the recipe needs
 * @param recipe a recipe with nothing left to learn, as JSON
 * @param part the fraction of rows that is held out
 * @param seed the seed by which rows are held out
 */
record TrainingRows(TableColumns columns, String recipe, double part, long seed)
        implements MapPartitionsFunction<Row, Row> {

    private static final String CELLS = "starling-cells";

    /** Returns the rows of a DataFrame to train on, with the columns that a recipe needs. */
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
        Recipe parsed = RecipeJson.read(recipe, "recipe");
        RowSample heldOut = new RowSample(part, seed);
        return new RowBatches(columns, rows) {
            @Override
            Iterator<Row> convert(List<Row> batch, Table table) {
                BitSet held = parsed.encodePart(table, true).in(heldOut);
                return IntStream.range(0, batch.size())
                        .filter(row -> !held.get(row))
                        .mapToObj(row -> replaced(batch.get(row)))
                        .iterator();
            }
        };
    }
}
