package dev.starling.spark;

import static org.apache.spark.sql.functions.col;

import dev.starling.data.InvalidInputException;
import dev.starling.model.RecipeJson;
import dev.starling.spark.rows.Packing;
import dev.starling.spark.rows.Serialized;
import dev.starling.spark.rows.TableColumns;
import dev.starling.spark.rows.TablePacking;
import dev.starling.spark.rows.VectorPacking;
import dev.starling.table.Recipe;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import scala.reflect.ClassTag$;

/**
 * The rows of a DataFrame where they are, and how executors move them into the core's compact layout.
 *
 * @param partitions the columns that packing takes, in Spark's own rows
 */
record FrameRows(RDD<InternalRow> partitions, Packing packing) {

    /** What the DataFrame is called in messages. */
    static final String SOURCE = "the DataFrame";

    /** What a partition is asked about its rows. */
    @FunctionalInterface
    interface Question<T extends Serializable> extends Serializable {

        /** The answer; empty if there are no rows to speak of. */
        Optional<T> of(int partition, Iterator<InternalRow> rows);
    }

    /**
     * Rows with a vector of features.
     *
     * @param params what else they have
     * @param foldColumns those whose cells decide on the folds of rows
     */
    static FrameRows ofVectors(
            Dataset<?> frame,
            String featuresCol,
            String labelCol,
            StarlingParams params,
            List<String> foldColumns,
            boolean classification) {
        boolean weighted = !params.getWeightCol().isEmpty();
        boolean shifted = !params.getOffsetCol().isEmpty();
        List<Column> columns =
                new ArrayList<>(List.of(col(featuresCol), col(labelCol).cast("double")));
        if (weighted) {
            columns.add(col(params.getWeightCol()).cast("double"));
        }
        if (shifted) {
            columns.add(OffsetFeature.numbers(frame.schema(), params.getOffsetCol()));
        }
        requireColumns(frame.schema(), foldColumns);
        foldColumns.forEach(name -> columns.add(TableColumns.named(name).cast("string")));
        return new FrameRows(
                selected(frame, columns.toArray(Column[]::new)),
                new VectorPacking(weighted, shifted, foldColumns.size(), classification));
    }

    /**
     * Rows that a recipe makes of columns.
     *
     * @param recipe one of which nothing is left to learn
     * @param foldColumns those whose cells decide on the folds of rows
     */
    static FrameRows ofTable(Dataset<?> frame, Recipe recipe, List<String> foldColumns) {
        requireColumns(frame.schema(), foldColumns);
        TableColumns columns = TableColumns.of(
                frame.schema(),
                Stream.concat(recipe.needed(true).stream(), foldColumns.stream())
                        .distinct()
                        .toList());
        return new FrameRows(
                selected(frame, columns.texts()), new TablePacking(columns, RecipeJson.text(recipe), foldColumns));
    }

    /** Refuses a DataFrame that lacks one of some columns. */
    static void requireColumns(StructType schema, Collection<String> wanted) {
        List<String> names = List.of(schema.fieldNames());
        for (String name : wanted) {
            if (!names.contains(name)) {
                throw new InvalidInputException(SOURCE + ": "
                        + InvalidInputException.unknownName("column", name, names)
                                .getMessage());
            }
        }
    }

    /** Columns of a DataFrame in Spark's own rows. */
    static RDD<InternalRow> selected(Dataset<?> frame, Column[] columns) {
        return ((org.apache.spark.sql.classic.Dataset<?>) frame.select(columns))
                .queryExecution()
                .toRdd();
    }

    /**
     * What all partitions that have something to say answer to a question, in their order.
     *
     * @throws InvalidInputException if a partition objects
     */
    static <T extends Serializable> List<T> ask(RDD<InternalRow> partitions, Class<T> type, Question<T> question) {
        Function2<Integer, Iterator<InternalRow>, Iterator<byte[]>> answering = (partition, rows) -> {
            try {
                return question.of(partition, rows).map(Serialized::bytes).stream()
                        .iterator();
            } catch (InvalidInputException e) {
                // Trying again would not help: the driver says it.
                return List.of(Serialized.bytes(new Objection(e.getMessage()))).iterator();
            }
        };
        List<T> answers = new ArrayList<>();
        for (byte[] answer : JavaRDD.fromRDD(partitions, ClassTag$.MODULE$.<InternalRow>apply(InternalRow.class))
                .mapPartitionsWithIndex(answering, true)
                .collect()) {
            Serializable said = Serialized.value(answer, Serializable.class);
            if (said instanceof Objection objection) {
                throw new InvalidInputException(objection.text);
            }
            answers.add(type.cast(said));
        }
        return answers;
    }

    private record Objection(String text) implements Serializable {}
}
