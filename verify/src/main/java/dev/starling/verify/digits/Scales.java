package dev.starling.verify.digits;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import org.apache.commons.numbers.core.DD;

/**
 * Means and deviations of features and target, computed again: they turn raw rows into those that were trained on, and
 * a model's weights into weights for such rows.
 *
 * <p>Means, deviations and quotients are rounded in training too: {@link #doubt} bounds what that could change.
 *
 * @param centred whether means are subtracted
 * @param scaled whether anything is scaled at all
 * @param means the means of the features; 0 if they are not centred
 * @param deviations the standard deviations of the features
 */
public record Scales(
        boolean centred,
        boolean scaled,
        double[] means,
        double[] deviations,
        double targetMean,
        double targetDeviation) {

    /** The relative error that the mean, the deviation and the quotient may each have in training. */
    private static final double ROUNDING = 0x1p-50;

    /** A deviation of at most this fraction of the mean is what rounding of the mean leaves of a constant. */
    private static final double CONSTANT = 0x1p-80;

    /** Returns the scales of rows for the name of a scaling; the target is scaled only in regression. */
    public static Scales of(String scaling, Dataset rows, boolean regression) {
        int features = rows.features();
        double[] ones = new double[features];
        Arrays.fill(ones, 1);
        boolean standardize = scaling.equals("standardize");
        if (scaling.equals("none")) {
            return new Scales(false, false, new double[features], ones, 0, 1);
        }
        if (!standardize && !scaling.equals("scale")) {
            throw new InvalidInputException(
                    "the model's scaling is '" + scaling + "'; known are none, scale and standardize");
        }
        boolean centred = standardize && 2 * rows.nonZeros() >= (long) rows.rows() * features;
        double[] means = new double[features];
        double[] deviations = new double[features];
        measure(rows, means, deviations);
        for (int c = 0; c < features; c++) {
            means[c] = centred ? means[c] : 0;
            deviations[c] = deviations[c] == 0 && !centred ? 1 : deviations[c];
        }
        double[] target = standardize && regression ? target(rows) : new double[] {0, 1};
        return new Scales(centred, true, means, deviations, target[0], target[1] > 0 ? target[1] : 1);
    }

    /** Makes two passes: sums first, then squares of the differences from the mean. */
    public static void measure(Dataset rows, double[] means, double[] deviations) {
        int features = rows.features();
        DD[] sums = zeros(features);
        for (int i = 0; i < rows.rows(); i++) {
            for (int k = rows.start(i); k < rows.end(i); k++) {
                int c = rows.column(i, k);
                sums[c] = sums[c].add(rows.value(i, k));
            }
        }
        DD[] squares = zeros(features);
        int[] present = new int[features];
        for (int c = 0; c < features; c++) {
            sums[c] = sums[c].divide(rows.rows());
        }
        for (int i = 0; i < rows.rows(); i++) {
            for (int k = rows.start(i); k < rows.end(i); k++) {
                int c = rows.column(i, k);
                squares[c] =
                        squares[c].add(sums[c].negate().add(rows.value(i, k)).square());
                present[c]++;
            }
        }
        for (int c = 0; c < features; c++) {
            DD all = squares[c].add(sums[c].square().multiply(rows.rows() - present[c]));
            means[c] = sums[c].hi();
            deviations[c] = deviation(all, rows.rows(), means[c]);
        }
    }

    private static double[] target(Dataset rows) {
        DD sum = DD.ZERO;
        for (double label : rows.labels()) {
            sum = sum.add(label);
        }
        DD mean = sum.divide(rows.rows());
        DD squares = DD.ZERO;
        for (double label : rows.labels()) {
            squares = squares.add(mean.negate().add(label).square());
        }
        return new double[] {mean.hi(), deviation(squares, rows.rows(), mean.hi())};
    }

    private static double deviation(DD squares, int count, double mean) {
        double deviation = squares.divide(count).sqrt().hi();
        return deviation > CONSTANT * Math.abs(mean) ? deviation : 0;
    }

    public static DD[] zeros(int count) {
        DD[] zeros = new DD[count];
        Arrays.fill(zeros, DD.ZERO);
        return zeros;
    }

    /** The product of a row and a vector, and the row's offset. */
    public static DD margin(Dataset rows, int row, DD[] theta) {
        DD sum = DD.of(rows.offset(row));
        for (int k = rows.start(row); k < rows.end(row); k++) {
            sum = sum.add(theta[rows.column(row, k)].multiply(rows.value(row, k)));
        }
        return sum;
    }

    /** The rows that were trained on, without the intercept's feature. */
    public Dataset apply(Dataset rows) {
        if (!scaled) {
            return rows;
        }
        Dataset laidOut = centred ? rows.laidOut(true) : rows;
        double[] labels = new double[rows.rows()];
        Arrays.setAll(labels, i -> (rows.label(i) - targetMean) / targetDeviation);
        Dataset trained =
                laidOut.changed((column, value) -> quotient(value, column)).withLabels(labels);
        double[] shifts = new double[rows.rows()];
        Arrays.setAll(shifts, row -> rows.offset(row) / targetDeviation);
        return trained.withOffsets(shifts);
    }

    private double quotient(double value, int column) {
        return deviations[column] > 0 ? (value - means[column]) / deviations[column] : 0;
    }

    /** How far rounding the other way may move a raw row's Σ |weight·value| and its target. */
    public double doubt(Dataset rows, int row, DD[] weights) {
        if (!scaled) {
            return 0;
        }
        double doubt = ROUNDING * (Math.abs(rows.label(row)) + Math.abs(targetMean)) / targetDeviation;
        if (!centred) {
            for (int k = rows.start(row); k < rows.end(row); k++) {
                doubt += doubt(rows.value(row, k), rows.column(row, k), weights);
            }
            return doubt;
        }
        double[] values = new double[rows.features()];
        for (int k = rows.start(row); k < rows.end(row); k++) {
            values[rows.column(row, k)] = rows.value(row, k);
        }
        for (int c = 0; c < values.length; c++) {
            doubt += doubt(values[c], c, weights);
        }
        return doubt;
    }

    private double doubt(double value, int column, DD[] weights) {
        if (deviations[column] == 0) {
            return 0;
        }
        double quotient = quotient(value, column);
        double off = ROUNDING * (Math.abs(quotient) + (Math.abs(value) + Math.abs(means[column])) / deviations[column]);
        return Math.abs(weights[column].hi()) * 2 * off;
    }

    /** Converts weights for raw rows to weights for scaled rows. */
    public DD[] weights(double[] raw) {
        DD[] weights = new DD[raw.length];
        Arrays.setAll(weights, c -> DD.ofProduct(raw[c], deviations[c]).divide(targetDeviation));
        return weights;
    }

    /** The part of a raw intercept that centring does not explain. */
    public DD intercept(double raw, DD[] weights) {
        DD rest = DD.ofSum(raw, -targetMean).divide(targetDeviation);
        for (int c = 0; c < weights.length; c++) {
            rest = rest.add(shift(weights, c));
        }
        return rest;
    }

    /** How far rounding may have moved {@link #intercept}. */
    public double interceptDoubt(double raw, DD[] weights) {
        if (!scaled) {
            return 0;
        }
        double shifts = 0;
        double means = 0;
        for (int c = 0; c < weights.length; c++) {
            shifts += shift(weights, c).abs().hi();
            // A mean is a sum of parts that may cancel.
            means += centred && deviations[c] > 0 ? weights[c].abs().hi() : 0;
        }
        return 0x1p-53 * (weights.length + 8) * shifts
                + ROUNDING * means
                + ROUNDING * (Math.abs(raw) + Math.abs(targetMean)) / targetDeviation;
    }

    private DD shift(DD[] weights, int column) {
        return means[column] == 0 || deviations[column] == 0
                ? DD.ZERO
                : weights[column].multiply(means[column]).divide(deviations[column]);
    }

    /** Whether a feature is 0 in all rows that were trained on, so that it can have no weight. */
    public boolean leavesOut(int feature) {
        return deviations[feature] == 0;
    }
}
