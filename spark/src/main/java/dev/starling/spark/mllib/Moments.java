package dev.starling.spark.mllib;

import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.stat.Summarizer;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * What MLlib scales by, from one pass over the rows.
 *
 * @param deviations the deviations of features, as a sample's
 * @param labelDeviation that of the label
 * @param population what turns a deviation of a sample into one of a population
 * @param smallestLabel the smallest label
 * @param largestLabel the largest label
 * @param wholeLabels whether labels are whole numbers from 0 on
 */
record Moments(
        double[] deviations,
        double labelDeviation,
        double population,
        double smallestLabel,
        double largestLabel,
        boolean wholeLabels) {

    static Moments of(Dataset<?> rows, Columns columns) {
        Column label = functions.col(columns.label());
        Column weight = columns.weights();
        Column counted = functions.when(weight.gt(0), label);
        Dataset<Row> used = columns.used(rows);
        Row sums = used.agg(
                        Summarizer.metrics("std").summary(functions.col(columns.features()), weight),
                        Summarizer.metrics("std")
                                .summary(org.apache.spark.ml.functions.array_to_vector(functions.array(label)), weight),
                        functions.min(counted),
                        functions.max(counted),
                        functions.max(counted.notEqual(functions.floor(counted)).or(counted.lt(0))),
                        functions.sum(weight),
                        functions.sum(weight.multiply(weight)),
                        functions.min(weight),
                        functions.max(label.isNull()
                                .or(label.isNaN())
                                .or(weight.isNull())
                                .or(functions.col(columns.features()).isNull())))
                .first();
        Training.leaveIf(sums.isNullAt(2), "no rows to train on");
        Training.leaveIf(sums.getBoolean(8), "missing labels, weights or features");
        Training.leaveIf(!(sums.getDouble(7) >= 0), "weights that are negative");
        double total = sums.getDouble(5);
        return new Moments(
                sums.getStruct(0).<Vector>getAs(0).toArray(),
                sums.getStruct(1).<Vector>getAs(0).apply(0),
                StrictMath.sqrt(1 - sums.getDouble(6) / (total * total)),
                sums.getDouble(2),
                sums.getDouble(3),
                !sums.getBoolean(4));
    }

    /** The same with the deviations of a population. */
    Moments ofPopulation() {
        return new Moments(
                IntStream.range(0, deviations.length)
                        .mapToDouble(j -> deviations[j] * population)
                        .toArray(),
                labelDeviation * population,
                1,
                smallestLabel,
                largestLabel,
                wholeLabels);
    }

    /** What features are multiplied by: MLlib gives constant ones no coefficient. */
    double[] scales(boolean standardization) {
        return IntStream.range(0, deviations.length)
                .mapToDouble(j -> deviations[j] == 0 ? 0 : standardization ? 1 / deviations[j] : 1)
                .toArray();
    }
}
