package dev.starling.spark.frame;

import dev.starling.spark.rows.TableColumns;
import dev.starling.table.NumberOrder;
import dev.starling.table.PartialSurvey;
import dev.starling.table.Table;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * The numbers of a column of a DataFrame in sorted order; Spark sorts or counts them on its executors, and only when
 * needed.
 */
final class ColumnOrder implements NumberOrder {

    private final Dataset<?> frame;
    private final TableColumns columns;
    private final String name;
    private final List<String> missingTokens;
    private final HeldOutCells heldOut;
    private JavaPairRDD<Double, Long> ranked;

    /**
     * @param columns the columns that determine which rows are held out, and the column itself
     * @param name the name of the column
     * @param heldOut the rows that are left out
     */
    ColumnOrder(Dataset<?> frame, TableColumns columns, String name, List<String> missingTokens, HeldOutCells heldOut) {
        this.frame = frame;
        this.columns = heldOut.part() == 0 ? TableColumns.of(frame.schema(), List.of(name)) : columns;
        this.name = name;
        this.missingTokens = missingTokens;
        this.heldOut = heldOut;
    }

    private JavaRDD<Double> numbers() {
        TableColumns read = columns;
        String column = name;
        List<String> tokens = missingTokens;
        HeldOutCells without = heldOut;
        return JavaRDD.fromRDD(
                        FrameRows.selected(frame, read.texts()),
                        ClassTag$.MODULE$.<InternalRow>apply(InternalRow.class))
                .mapPartitionsWithIndex(
                        (partition, rows) -> {
                            Iterable<Table> tables = () -> read.tables(partition, rows);
                            return StreamSupport.stream(tables.spliterator(), false)
                                    .flatMap(table -> Arrays.stream(
                                                    PartialSurvey.numbers(table, column, tokens, without.in(table)))
                                            .boxed())
                                    .iterator();
                        },
                        true);
    }

    @Override
    public double at(long rank) {
        if (ranked == null) {
            JavaRDD<Double> numbers = numbers();
            ranked = numbers.sortBy(number -> number, true, numbers.getNumPartitions())
                    .zipWithIndex();
        }
        return ranked.filter(pair -> pair._2() == rank).first()._1();
    }

    @Override
    public long upTo(double bound) {
        return numbers().filter(number -> number <= bound).count();
    }

    @Override
    public double mostFrequent() {
        return numbers()
                .mapToPair(number -> new Tuple2<>(number, 1L))
                .reduceByKey(Long::sum)
                .reduce((one, other) -> isMoreFrequent(one, other) ? one : other)
                ._1();
    }

    private static boolean isMoreFrequent(Tuple2<Double, Long> one, Tuple2<Double, Long> other) {
        int more = Long.compare(one._2(), other._2());
        return more > 0 || (more == 0 && one._1() < other._1());
    }
}
