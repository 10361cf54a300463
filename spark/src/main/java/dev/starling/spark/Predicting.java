package dev.starling.spark;

import dev.starling.data.Dataset;
import dev.starling.data.TableBuilder;
import dev.starling.model.LinearModel;
import dev.starling.spark.rows.TableColumns;
import dev.starling.table.Encoded;
import dev.starling.table.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Adds predictions to rows, some at a time, so that a recipe is not looked through for every one.
 *
 * @param model as {@link ModelText} has it, with a recipe
 * @param columns what the recipe needs, whose texts are the last column, as an array
 * @param raw whether to add scores
 * @param probabilities whether to add probabilities
 * @param prediction whether to add the prediction itself
 */
record Predicting(String model, TableColumns columns, boolean raw, boolean probabilities, boolean prediction)
        implements MapPartitionsFunction<Row, Row> {

    private static final int BATCH = 1 << 10;

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        return new Batches(rows);
    }

    /** Predictions of one partition, made as they are asked for. */
    private final class Batches implements Iterator<Row> {
        private final Iterator<Row> rows;
        private final LinearModel linear = ModelText.model(model);
        private final Recipe recipe = linear.recipe().orElseThrow();
        private long before;
        private Iterator<Row> ready = List.<Row>of().iterator();

        Batches(Iterator<Row> rows) {
            this.rows = rows;
        }

        @Override
        public boolean hasNext() {
            return ready.hasNext() || rows.hasNext();
        }

        @Override
        public Row next() {
            if (!ready.hasNext()) {
                ready = predicted().iterator();
            }
            return ready.next();
        }

        private List<Row> predicted() {
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
            List<Row> result = new ArrayList<>();
            for (int i = 0; i < added.length; i++) {
                result.add(with(batch.get(i), added[i]));
            }
            return result;
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

        private Row with(Row row, Object[] added) {
            int own = row.size() - 1;
            Object[] values =
                    Arrays.copyOf(CollectionConverters.asJava(row.toSeq()).toArray(), own + added.length);
            System.arraycopy(added, 0, values, own, added.length);
            return RowFactory.create(values);
        }
    }
}
