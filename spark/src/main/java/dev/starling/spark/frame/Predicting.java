package dev.starling.spark.frame;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.rows.LazyIterator;
import dev.starling.spark.rows.TableColumns;
import dev.starling.table.TableBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Adds predictions to rows.
 *
 * @param model a model with a recipe
 * @param columns the columns that the recipe needs, whose texts are in the last column, as an array
 * @param raw whether to add scores
 * @param probabilities whether to add probabilities
 * @param prediction whether to add the prediction itself
 */
public record Predicting(
        TrainedModel model, TableColumns columns, boolean raw, boolean probabilities, boolean prediction)
        implements MapPartitionsFunction<Row, Row> {

    private static final int BATCH = 1 << 10;

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        return new Predicted(rows);
    }

    /** The predictions for one partition, computed lazily. */
    private final class Predicted extends LazyIterator<Row> {
        private final LinearModel linear = model.model();
        private final Recipe recipe = Recipe.of(linear).orElseThrow();
        private final Iterator<Row> rows;
        private Iterator<Row> ready = Collections.emptyIterator();
        private long before;

        Predicted(Iterator<Row> rows) {
            this.rows = rows;
        }

        @Override
        protected Row make() {
            if (!ready.hasNext() && rows.hasNext()) {
                ready = batch();
            }
            return ready.hasNext() ? ready.next() : null;
        }

        /** Converts many rows at once, so that the recipe need not be interpreted for each of them. */
        private Iterator<Row> batch() {
            List<Row> batch = new ArrayList<>();
            TableBuilder builder = columns.builder(TaskContext.getPartitionId(), before);
            while (batch.size() < BATCH && rows.hasNext()) {
                Row row = rows.next();
                List<String> texts = row.getList(row.size() - 1);
                columns.addRow(builder, texts::get);
                batch.add(row);
            }
            before += batch.size();
            Encoded encoded = recipe.encodePart(builder.build(), false);
            Object[][] added = new Object[batch.size()][width()];
            for (int k = 0; k < encoded.kept().size(); k++) {
                added[encoded.kept().get(k)] = added(encoded.rows(), k);
            }
            return IntStream.range(0, added.length)
                    .mapToObj(i -> replaced(batch.get(i), added[i]))
                    .iterator();
        }

        /** Returns a row with other values in place of its last column. */
        private static Row replaced(Row row, Object... last) {
            int own = row.size() - 1;
            Object[] values =
                    Arrays.copyOf(CollectionConverters.asJava(row.toSeq()).toArray(), own + last.length);
            System.arraycopy(last, 0, values, own, last.length);
            return RowFactory.create(values);
        }

        private int width() {
            return (raw ? 1 : 0) + (probabilities ? 1 : 0) + (prediction ? 1 : 0);
        }

        private Object[] added(Dataset data, int row) {
            Stream.Builder<Object> values = Stream.builder();
            if (raw) {
                double[] scores = linear.scores(data, row);
                values.add(Vectors.dense(scores.length == 1 ? new double[] {-scores[0], scores[0]} : scores));
            }
            if (probabilities) {
                values.add(Vectors.dense(linear.probabilities(data, row)));
            }
            if (prediction) {
                double label = linear.predict(data, row);
                values.add(linear.isClassifier() ? linear.spelling(label) : (Object) label);
            }
            return values.build().toArray();
        }
    }
}
