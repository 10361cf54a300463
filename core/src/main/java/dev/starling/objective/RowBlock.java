package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.loss.Elementary;
import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.RefinedMargin;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * A block of at most {@link Loss#BLOCK} rows of a pass, with their margins and the slopes and curvatures of the loss
 * there.
 */
final class RowBlock {

    private static final double SQUARED_UNIT = 8 * Rounding.UNIT * Rounding.UNIT;

    final int[] rows = new int[Loss.BLOCK];
    final double[] slopes = new double[Loss.BLOCK];
    final double[] curvatures = new double[Loss.BLOCK];

    /** How far rounding may have moved margins, if they were {@linkplain #refine refined}. */
    final double[] distances = new double[Loss.BLOCK];

    /** What rounding took from slopes that are known with twice the digits, as those of a square are. */
    final double[] rests = new double[Loss.BLOCK];

    /** How far slopes may be off otherwise, if they are known that well; negative if they are not. */
    final double[] errors = new double[Loss.BLOCK];

    private final LocalProblem problem;

    /** β, or infinity if curvature is bounded only near a margin. */
    private final double smoothness;

    private final double[] margins = new double[Loss.BLOCK];
    private final double[] labels = new double[Loss.BLOCK];

    /** Null if all rows have weight 1, and all samples count the same. */
    private final double[] weights;

    /** @param even whether all samples count the same */
    RowBlock(LocalProblem problem, boolean even) {
        this.problem = problem;
        this.smoothness = problem.loss().smoothness();
        this.weights = even && !problem.data().isWeighted() ? null : new double[Loss.BLOCK];
    }

    /**
     * Loads some of the samples to visit and computes their margins at a point; returns the sum of their weights.
     *
     * @param from the first of them
     * @param count how many to load
     */
    double take(double[] theta, RowSample sample, int from, int count) {
        Dataset data = problem.data();
        for (int k = 0; k < count; k++) {
            int row = problem.row(sample.sample(from + k));
            rows[k] = row;
            margins[k] = data.dot(row, theta);
            labels[k] = data.label(row);
        }
        for (int k = 0; data.hasOffsets() && k < count; k++) {
            margins[k] += data.offset(rows[k]);
        }
        if (weights == null) {
            return count;
        }
        double sum = 0;
        for (int k = 0; k < count; k++) {
            weights[k] = data.weight(rows[k]) * sample.share(from + k);
            sum += weights[k];
        }
        return sum;
    }

    /** Computes the margins of the block again, with twice the digits. */
    void refine(double[] theta, int count) {
        for (int k = 0; k < count; k++) {
            RefinedMargin margin = RefinedMargin.of(problem.data(), rows[k], theta);
            margins[k] = margin.value();
            // A loss compares the margin with its label.
            distances[k] =
                    margin.distance() + 4 * Rounding.UNIT * problem.loss().labelSize(labels[k]);
            rests[k] = margin.rest();
            errors[k] = margin.distanceOfBoth();
        }
    }

    /** Gives slopes that are w(m − y) twice the digits, once refined margins were evaluated. */
    void refineSlopes(int count) {
        if (problem.loss().selfConcordance() > 0) {
            Arrays.fill(rests, 0, count, 0);
            Arrays.fill(errors, 0, count, -1);
            return;
        }
        for (int k = 0; k < count; k++) {
            double difference = margins[k] - labels[k];
            double back = difference - margins[k];
            double rest = (margins[k] - (difference - back)) - (labels[k] + back) + rests[k];
            slopes[k] = weight(k) * difference;
            rests[k] = Math.fma(weight(k), difference, -slopes[k]) + weight(k) * rest;
            errors[k] = weight(k) * errors[k] + SQUARED_UNIT * (weight(k) * Math.abs(labels[k]) + Math.abs(slopes[k]));
        }
    }

    /** Computes slopes and curvatures, both multiplied by the weights, and returns the sum of the weighted losses. */
    double evaluate(int count) {
        return problem.loss().evaluate(count, margins, labels, weights, slopes, curvatures);
    }

    /** Returns whether only the curvatures at margins bound those nearby. */
    private boolean isLocal() {
        return smoothness == Double.POSITIVE_INFINITY;
    }

    /** Returns whether curvatures near margins are bounded row by row, but not for all rows together. */
    boolean isBoundedOnlyByRow() {
        return isLocal() && problem.loss().selfConcordance() == Double.POSITIVE_INFINITY;
    }

    /** Returns the sum of the block's curvatures, if {@link #curvatureWithin} needs it. */
    double curvature(int count) {
        double sum = 0;
        for (int k = 0; isLocal() && k < count; k++) {
            sum += curvatures[k];
        }
        return sum;
    }

    /** Raises all curvatures by a part of their distance from the greatest one, if there is one. */
    void raiseCurvatures(int count, double part) {
        for (int k = 0; part > 0 && !isLocal() && k < count; k++) {
            curvatures[k] += part * (weight(k) * smoothness - curvatures[k]);
        }
    }

    /**
     * Returns a bound on w·ℓ'' of the k-th row of the block within a distance of its margin: w·β or, if there is no β,
     * what |ℓ'''| ≤ M ℓ'' makes of the curvature at the margin.
     */
    double curvatureWithin(int k, double distance) {
        if (isBoundedOnlyByRow()) {
            return Math.abs(curvatures[k]) + third(k, distance) * distance;
        }
        return isLocal() ? curvatures[k] * growth(distance) : weight(k) * smoothness;
    }

    /** Returns a bound on w·|ℓ'''| of the k-th row of the block within a radius of its margin. */
    double third(int k, double radius) {
        return weight(k) * problem.loss().thirdWithin(margins[k], labels[k], radius);
    }

    /** Returns the same for the sum of all rows, given the sums of their weights and curvatures. */
    double curvatureWithin(double weight, double curvature, double distance) {
        return isLocal() ? curvature * growth(distance) : weight * smoothness;
    }

    /** Rounded up, with room for the rounding of curvatures and of their sum. */
    private double growth(double distance) {
        return (1 + 0x1p-20) * Elementary.exp(problem.loss().selfConcordance() * distance);
    }

    /** Returns the weight of the k-th row of the block. */
    private double weight(int k) {
        return weights == null ? 1 : weights[k];
    }
}
