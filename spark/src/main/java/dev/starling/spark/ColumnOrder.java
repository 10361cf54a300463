package dev.starling.spark;

import dev.starling.spark.rows.TableColumns;
import dev.starling.table.NumberOrder;
import dev.starling.table.PartialSurvey;
import dev.starling.table.Table;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
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
    private final TableColumns column;
    private final List<String> missingTokens;
    private JavaPairRDD<Double, Long> ranked;

    /** @param column the column; must be a single one */
    ColumnOrder(Dataset<?> frame, TableColumns column, List<String> missingTokens) {
        this.frame = frame;
        this.column = column;
        this.missingTokens = missingTokens;
    }

    private JavaRDD<Double> numbers() {
        TableColumns one = column;
        List<String> tokens = missingTokens;
        return JavaRDD.fromRDD(
                        FrameRows.selected(frame, one.texts()), ClassTag$.MODULE$.<InternalRow>apply(InternalRow.class))
                .mapPartitionsWithIndex((partition, rows) -> numbers(one, tokens, one.tables(partition, rows)), true);
    }

    private static Iterator<Double> numbers(TableColumns one, List<String> tokens, Iterator<Table> tables) {
        Stream<Table> all = StreamSupport.stream(((Iterable<Table>) () -> tables).spliterator(), false);
        return all.flatMap(table -> Arrays.stream(PartialSurvey.numbers(
                                table, one.columns().get(0).name(), tokens))
                        .boxed())
                .iterator();
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
