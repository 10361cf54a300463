package dev.starling.spark.mllib;

import dev.starling.spark.frame.FrameRows;
import dev.starling.spark.rows.VectorPacking;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
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

    /**
     * One pass over the rows.
     *
     * @throws Training.NotOursException if rows have something that Starling does not take
     */
    static Moments of(Dataset<?> rows, Columns columns) {
        RDD<InternalRow> partitions = FrameRows.selected(
                columns.used(rows),
                new Column[] {functions.col(columns.features()), functions.col(columns.label()), columns.weights()});
        List<Sums> parts = FrameRows.ask(partitions, Sums.class, (partition, items) -> Sums.of(items));
        Sums all = parts.stream().reduce((sums, next) -> sums.plus(next)).orElse(new Sums(0));
        Training.leaveIf(all.missing, "missing labels, weights or features");
        Training.leaveIf(all.negative, "weights that are negative");
        Training.leaveIf(all.total == 0, "no rows to train on");
        return new Moments(
                IntStream.range(0, all.features).mapToDouble(all::deviation).toArray(),
                all.deviation(all.features),
                StrictMath.sqrt(1 - all.squares / (all.total * all.total)),
                all.smallestLabel,
                all.largestLabel,
                all.wholeLabels);
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

    /**
     * What a partition's rows add up to: of every feature, and last of the label, the weight of rows where it is not 0,
     * and the mean and the weighted squared distances from it there. Zeros are counted in the end, as MLlib does it.
     */
    private static final class Sums implements Serializable {

        private static final long serialVersionUID = 1;

        private static final int FEATURES = 0;
        private static final int LABEL = 1;
        private static final int WEIGHT = 2;

        private final int features;
        private final double[] present;
        private final double[] means;
        private final double[] distances;
        private double total;
        private double squares;
        private double smallestLabel = Double.POSITIVE_INFINITY;
        private double largestLabel = Double.NEGATIVE_INFINITY;
        private boolean wholeLabels = true;
        private boolean missing;
        private boolean negative;

        Sums(int features) {
            this.features = features;
            present = new double[features + 1];
            means = new double[features + 1];
            distances = new double[features + 1];
        }

        /** Those of a partition; empty if it has no rows. */
        static Optional<Sums> of(Iterator<InternalRow> rows) {
            Sums sums = null;
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                if (row.anyNull()) {
                    sums = sums == null ? new Sums(0) : sums;
                    sums.missing = true;
                    return Optional.of(sums);
                }
                VectorPacking.Cells cells = VectorPacking.Cells.of(row, FEATURES);
                sums = sums == null ? new Sums(cells.size()) : sums;
                VectorPacking.requireSize(sums.features, cells.size());
                sums.add(cells, row.getDouble(LABEL), row.getDouble(WEIGHT));
            }
            return Optional.ofNullable(sums);
        }

        private void add(VectorPacking.Cells cells, double label, double weight) {
            missing |= Double.isNaN(label) || Double.isNaN(weight);
            negative |= weight < 0;
            if (weight == 0) {
                return;
            }
            double[] values = cells.values();
            for (int k = 0; k < values.length; k++) {
                add(cells.column(k), values[k], weight);
            }
            add(features, label, weight);
            total += weight;
            squares += weight * weight;
            smallestLabel = Math.min(smallestLabel, label);
            largestLabel = Math.max(largestLabel, label);
            wholeLabels &= label >= 0 && label == Math.floor(label);
        }

        private void add(int c, double value, double weight) {
            if (value != 0) {
                double distance = value - means[c];
                present[c] += weight;
                means[c] += distance * (weight / present[c]);
                distances[c] += weight * distance * (value - means[c]);
            }
        }

        /** Adds another partition's. */
        Sums plus(Sums next) {
            missing |= next.missing;
            negative |= next.negative;
            if (missing) {
                return this;
            }
            VectorPacking.requireSize(features, next.features);
            for (int c = 0; c <= features; c++) {
                if (next.present[c] > 0) {
                    double distance = next.means[c] - means[c];
                    double both = present[c] + next.present[c];
                    distances[c] += next.distances[c] + distance * distance * present[c] * next.present[c] / both;
                    means[c] += distance * (next.present[c] / both);
                    present[c] = both;
                }
            }
            total += next.total;
            squares += next.squares;
            smallestLabel = Math.min(smallestLabel, next.smallestLabel);
            largestLabel = Math.max(largestLabel, next.largestLabel);
            wholeLabels &= next.wholeLabels;
            return this;
        }

        /** The deviation of a sample. */
        double deviation(int c) {
            double counted = total - squares / total;
            double all = distances[c] + means[c] * means[c] * present[c] * (total - present[c]) / total;
            return counted > 0 ? Math.sqrt(Math.max(0, all / counted)) : 0;
        }
    }
}
