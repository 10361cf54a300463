package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;

/**
 * A block of at most {@link Loss#BLOCK} rows of a pass, with their margins and the slopes and curvatures of the loss
 * there.
 */
final class RowBlock {

    final int[] rows = new int[Loss.BLOCK];
    final double[] slopes = new double[Loss.BLOCK];
    final double[] curvatures = new double[Loss.BLOCK];

    private final LocalProblem problem;
    private final double[] margins = new double[Loss.BLOCK];
    private final double[] labels = new double[Loss.BLOCK];

    /** Null if all rows have weight 1. */
    private final double[] weights;

    RowBlock(LocalProblem problem) {
        this.problem = problem;
        this.weights = problem.data().isWeighted() ? new double[Loss.BLOCK] : null;
    }

    /**
     * Loads the samples from·stride, (from + 1)·stride, … and computes their margins at a point; returns the sum of
     * their weights.
     *
     * @param count the number of samples to load
     */
    double take(double[] theta, int from, int stride, int count) {
        Dataset data = problem.data();
        for (int k = 0; k < count; k++) {
            int row = problem.row((from + k) * stride);
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
            weights[k] = data.weight(rows[k]);
            sum += weights[k];
        }
        return sum;
    }

    /** Computes slopes and curvatures, both multiplied by the weights, and returns the sum of the weighted losses. */
    double evaluate(int count) {
        return problem.loss().evaluate(count, margins, labels, weights, slopes, curvatures);
    }

    /** Returns the weight of the k-th row of the block. */
    double weight(int k) {
        return weights == null ? 1 : weights[k];
    }
}
