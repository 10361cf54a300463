package dev.starling.spark.mllib;

import dev.starling.data.Dataset;
import dev.starling.spark.rows.VectorPacking;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What MLlib scales by.
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

    /* A node's facts: these numbers, then three of every feature and last of the label: the weight of rows where it is
    not 0, and the mean and the weighted squared distances from it there. Zeros are counted in the end, as MLlib does. */
    private static final int TOTAL = 0;
    private static final int SQUARES = 1;
    private static final int SMALLEST = 2;
    private static final int LARGEST = 3;
    private static final int WHOLE = 4;
    private static final int COLUMNS = 5;

    private static final int PRESENT = 0;
    private static final int MEAN = 1;
    private static final int DISTANCES = 2;
    private static final int NUMBERS = 3;

    private static int at(int column) {
        return COLUMNS + NUMBERS * column;
    }

    /** What a node says about its rows. */
    static double[] facts(Dataset rows) {
        int columns = rows.features() + 1;
        double[] facts = new double[at(columns)];
        facts[SMALLEST] = Double.POSITIVE_INFINITY;
        facts[LARGEST] = Double.NEGATIVE_INFINITY;
        facts[WHOLE] = 1;
        for (int i = 0; i < rows.rows(); i++) {
            double label = rows.label(i);
            double weight = rows.weight(i);
            facts[TOTAL] += weight;
            facts[SQUARES] += weight * weight;
            facts[SMALLEST] = Math.min(facts[SMALLEST], label);
            facts[LARGEST] = Math.max(facts[LARGEST], label);
            facts[WHOLE] = label >= 0 && label == Math.floor(label) ? facts[WHOLE] : 0;
        }
        // Distances from the first value: those of a constant are exactly 0, and so is its deviation.
        double[] origins = new double[columns];
        Arrays.fill(origins, Double.NaN);
        eachValue(rows, (column, value, weight) -> {
            if (Double.isNaN(origins[column])) {
                origins[column] = value;
            }
            facts[at(column) + PRESENT] += weight;
            facts[at(column) + MEAN] += weight * (value - origins[column]);
        });
        for (int c = 0; c < columns; c++) {
            double present = facts[at(c) + PRESENT];
            facts[at(c) + MEAN] = present > 0 ? origins[c] + facts[at(c) + MEAN] / present : 0;
        }
        eachValue(rows, (column, value, weight) -> {
            double distance = value - facts[at(column) + MEAN];
            facts[at(column) + DISTANCES] += weight * distance * distance;
        });
        return facts;
    }

    private interface Visitor {
        void visit(int column, double value, double weight);
    }

    /** Visits the values and the labels that are not 0. */
    private static void eachValue(Dataset rows, Visitor visitor) {
        for (int i = 0; i < rows.rows(); i++) {
            double weight = rows.weight(i);
            int start = rows.start(i);
            for (int k = start; k < rows.end(i); k++) {
                double value = rows.value(i, k);
                if (value != 0) {
                    visitor.visit(rows.column(i, k), value, weight);
                }
            }
            if (rows.label(i) != 0) {
                visitor.visit(rows.features(), rows.label(i), weight);
            }
        }
    }

    /** Adds another node's facts. */
    static double[] merged(double[] facts, double[] next) {
        VectorPacking.requireSize(features(facts), features(next));
        for (int at = COLUMNS; at < facts.length; at += NUMBERS) {
            double others = next[at + PRESENT];
            if (others > 0) {
                double distance = next[at + MEAN] - facts[at + MEAN];
                double both = facts[at + PRESENT] + others;
                facts[at + DISTANCES] +=
                        next[at + DISTANCES] + distance * distance * facts[at + PRESENT] * others / both;
                facts[at + MEAN] += distance * (others / both);
                facts[at + PRESENT] = both;
            }
        }
        facts[TOTAL] += next[TOTAL];
        facts[SQUARES] += next[SQUARES];
        facts[SMALLEST] = Math.min(facts[SMALLEST], next[SMALLEST]);
        facts[LARGEST] = Math.max(facts[LARGEST], next[LARGEST]);
        facts[WHOLE] = Math.min(facts[WHOLE], next[WHOLE]);
        return facts;
    }

    private static int features(double... facts) {
        return (facts.length - COLUMNS) / NUMBERS - 1;
    }

    /** What the facts about all rows say. */
    static Moments of(double... facts) {
        int features = features(facts);
        return new Moments(
                IntStream.range(0, features)
                        .mapToDouble(column -> deviation(facts, column))
                        .toArray(),
                deviation(facts, features),
                StrictMath.sqrt(1 - facts[SQUARES] / (facts[TOTAL] * facts[TOTAL])),
                facts[SMALLEST],
                facts[LARGEST],
                facts[WHOLE] == 1);
    }

    /** The deviation of a sample. */
    private static double deviation(double[] facts, int column) {
        double total = facts[TOTAL];
        double present = facts[at(column) + PRESENT];
        double mean = facts[at(column) + MEAN];
        double counted = total - facts[SQUARES] / total;
        double all = facts[at(column) + DISTANCES] + mean * mean * present * (total - present) / total;
        return counted > 0 ? Math.sqrt(Math.max(0, all / counted)) : 0;
    }
}
