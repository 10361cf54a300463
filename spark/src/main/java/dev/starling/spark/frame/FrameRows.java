package dev.starling.spark.frame;

import static org.apache.spark.sql.functions.col;

import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.tally.PartialEvaluation;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeJson;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.params.StarlingParams;
import dev.starling.spark.rows.Packing;
import dev.starling.spark.rows.Serialized;
import dev.starling.spark.rows.TableColumns;
import dev.starling.spark.rows.TablePacking;
import dev.starling.spark.rows.VectorPacking;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
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
 * The rows of a DataFrame, still in Spark, and how executors convert them to the core's compact layout.
 *
 * @param partitions the columns that the packing reads, as Spark's internal rows
 * @param packing converts them
 */
public record FrameRows(RDD<InternalRow> partitions, Packing packing) {

    /** The name of the DataFrame in messages. */
    public static final String SOURCE = "the DataFrame";

    /** A computation on the rows of a partition. */
    @FunctionalInterface
    public interface Question<T extends Serializable> extends Serializable {

        /** Returns the answer; empty if the partition has nothing to contribute. */
        Optional<T> of(int partition, Iterator<InternalRow> rows);
    }

    /**
     * Selects rows with a vector of features.
     *
     * @param params say which other columns there are
     * @param foldColumns the columns whose cells determine the folds of rows
     */
    public static FrameRows ofVectors(
            Dataset<?> frame,
            String featuresCol,
            String labelCol,
            StarlingParams<?> params,
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
     * Selects rows that a recipe makes from columns.
     *
     * @param recipe a recipe with nothing left to learn
     * @param foldColumns the columns whose cells determine the folds of rows
     */
    public static FrameRows ofTable(Dataset<?> frame, Recipe recipe, List<String> foldColumns) {
        requireColumns(frame.schema(), foldColumns);
        TableColumns columns = TableColumns.keyed(
                frame.schema(),
                Stream.concat(recipe.needed(true).stream(), foldColumns.stream())
                        .toList(),
                recipe.ids());
        return new FrameRows(
                selected(frame, columns.texts()), new TablePacking(columns, RecipeJson.text(recipe), foldColumns));
    }

    /** The different keys of rows, in the order in which they first occur. */
    List<Long> keys() {
        Packing reading = packing;
        Set<Long> all = new LinkedHashSet<>();
        ask(partitions, long[].class, (partition, rows) -> {
                    Set<Long> own = new LinkedHashSet<>();
                    reading.parts(partition, rows)
                            .forEachRemaining(part -> LongStream.of(part.keys()).forEach(own::add));
                    return Optional.of(own.stream().mapToLong(key -> key).toArray());
                })
                .forEach(own -> LongStream.of(own).forEach(all::add));
        return List.copyOf(all);
    }

    /**
     * How well a model predicts the rows: each partition evaluates its own, and the driver adds up the results.
     *
     * @throws InvalidInputException if there are no rows, or the model does not know one of the labels
     */
    public Measures measures(TrainedModel model) {
        Packing reading = packing;
        List<PartialEvaluation> parts = ask(partitions, PartialEvaluation.class, (partition, rows) -> {
            List<PartialEvaluation> own = new ArrayList<>();
            reading.parts(partition, rows)
                    .forEachRemaining(part -> own.add(PartialEvaluation.of(model.model(), part.data())));
            return own.isEmpty() ? Optional.empty() : Optional.of(PartialEvaluation.sum(own));
        });
        if (parts.isEmpty()) {
            throw new InvalidInputException("there are no rows on which to evaluate the model; at least one is needed");
        }
        return PartialEvaluation.sum(parts).measures(model.model());
    }

    /** Refuses a DataFrame that lacks one of these columns. */
    static void requireColumns(StructType schema, Collection<String> required) {
        List<String> names = List.of(schema.fieldNames());
        for (String name : required) {
            if (!names.contains(name)) {
                throw new InvalidInputException(SOURCE + ": "
                        + InvalidInputException.unknownName("column", name, names)
                                .getMessage());
            }
        }
    }

    /** Selects columns of a DataFrame as Spark's internal rows. */
    public static RDD<InternalRow> selected(Dataset<?> frame, Column[] columns) {
        return ((org.apache.spark.sql.classic.Dataset<?>) frame.select(columns))
                .queryExecution()
                .toRdd();
    }

    /**
     * Returns the answers of all partitions that have one, in order.
     *
     * @throws InvalidInputException if a partition objects
     */
    public static <T extends Serializable> List<T> ask(
            RDD<InternalRow> partitions, Class<T> type, Question<T> question) {
        Function2<Integer, Iterator<InternalRow>, Iterator<byte[]>> answering = (partition, rows) -> {
            try {
                return question.of(partition, rows).map(Serialized::bytes).stream()
                        .iterator();
            } catch (InvalidInputException e) {
                // Spark's retries would not help, so the driver throws it.
                return List.of(Serialized.bytes(new Objection(e.getMessage()))).iterator();
            }
        };
        List<T> answers = new ArrayList<>();
        for (byte[] answer : JavaRDD.fromRDD(partitions, ClassTag$.MODULE$.<InternalRow>apply(InternalRow.class))
                .mapPartitionsWithIndex(answering, true)
                .collect()) {
            Serializable value = Serialized.value(answer, Serializable.class);
            if (value instanceof Objection objection) {
                throw new InvalidInputException(objection.text);
            }
            answers.add(type.cast(value));
        }
        return answers;
    }

    private record Objection(String text) implements Serializable {}
}
