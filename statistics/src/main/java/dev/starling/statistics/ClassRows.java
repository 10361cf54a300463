package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import java.util.Arrays;
import java.util.List;

/**
 * Rows with the numbers of their classes, as likelihoods of several classes need them.
 *
 * @param x the features of each row, a 1 for the intercept first if there is one
 * @param classes the number of each row's class
 * @param totals the weight of each class
 * @param names the names of the features
 */
record ClassRows(double[][] x, int[] classes, double[] weights, double[] offsets, double[] totals, List<String> names) {

    /**
     * Copies rows.
     *
     * @param data the rows; the labels are numbers in the order of the classes
     * @param labels the names of the classes
     */
    static ClassRows of(Dataset data, List<String> labels, boolean intercept) {
        double[] distinct = Arrays.stream(data.labels()).sorted().distinct().toArray();
        if (distinct.length != labels.size() || labels.size() < 2) {
            throw new InvalidInputException("the rows have " + distinct.length + " of " + labels.size()
                    + " classes; there must be at least two, each with rows");
        }
        int first = intercept ? 1 : 0;
        double[][] x = new double[data.rows()][first + data.features()];
        int[] classes = new int[data.rows()];
        double[] weights = new double[data.rows()];
        double[] offsets = new double[data.rows()];
        double[] totals = new double[labels.size()];
        double[] row = new double[data.features()];
        for (int i = 0; i < x.length; i++) {
            Arrays.fill(row, 0);
            data.addTo(i, 1, row);
            System.arraycopy(row, 0, x[i], first, row.length);
            x[i][0] = intercept ? 1 : x[i][0];
            classes[i] = Arrays.binarySearch(distinct, data.label(i));
            weights[i] = data.weight(i);
            offsets[i] = data.offset(i);
            totals[classes[i]] += weights[i];
        }
        for (int c = 0; c < totals.length; c++) {
            if (!(totals[c] > 0)) {
                throw new InvalidInputException(
                        "the class '" + labels.get(c) + "' has no rows with a weight; leave it out");
            }
        }
        return new ClassRows(x, classes, weights, offsets, totals, data.names());
    }

    int count() {
        return x.length;
    }

    int features() {
        return x[0].length;
    }

    double weight() {
        return Arrays.stream(totals).sum();
    }

    /** The number of rows with a positive weight. */
    long weighted() {
        return Arrays.stream(weights).filter(weight -> weight > 0).count();
    }

    /** The deviance if all rows had the same probabilities. */
    Proven nullDeviance() {
        double sum = 0;
        for (double total : totals) {
            sum += 2 * total * Elementary.log(weight() / total);
        }
        return new Proven(sum, Coefficient.ROUNDING * sum);
    }
}
