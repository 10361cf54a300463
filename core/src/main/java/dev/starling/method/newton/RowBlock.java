package dev.starling.method.newton;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;

/** Some rows of a pass, at most {@link Loss#BLOCK} at a time, with their margins and what the loss makes of those. */
final class RowBlock {

    final int[] rows = new int[Loss.BLOCK];
    final double[] slopes = new double[Loss.BLOCK];
    final double[] curvatures = new double[Loss.BLOCK];

    private final LocalProblem problem;
    private final double[] margins = new double[Loss.BLOCK];
    private final double[] labels = new double[Loss.BLOCK];

    /** Null where all rows weigh 1. */
    private final double[] weights;

    RowBlock(LocalProblem problem) {
        this.problem = problem;
        this.weights = problem.data().isWeighted() ? new double[Loss.BLOCK] : null;
    }

    /**
     * Takes the samples from·every, (from + 1)·every, … at a point, and returns the sum of their weights.
     *
     * @param count how many
     */
    double take(double[] theta, int from, int every, int count) {
        Dataset data = problem.data();
        for (int k = 0; k < count; k++) {
            int row = problem.row((from + k) * every);
            rows[k] = row;
            margins[k] = data.dot(row, theta);
            labels[k] = data.label(row);
        }
        for (int k = 0; data.isShifted() && k < count; k++) {
            margins[k] += data.shift(rows[k]);
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

    /** Fills in slopes and curvatures, both times the weights, and returns the sum of the weighted losses. */
    double evaluate(int count) {
        return problem.loss().evaluate(count, margins, labels, weights, slopes, curvatures);
    }

    /** The weight of a row of the block. */
    double weight(int k) {
        return weights == null ? 1 : weights[k];
    }
}
