package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.internal.Vectors;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;

/**
 * Coefficients, that of an intercept last, and the scores they give rows.
 *
 * @param values the coefficients; 0 for those that are left out
 * @param errors bounds on their errors
 * @param intercept whether the last one is that of an intercept
 */
record Scores(double[] values, double[] errors, boolean intercept) {

    /** Those of a model with one score. */
    static Scores of(LinearModel model, Inference known) {
        double[] values = model.tabled(known.intercept());
        for (int k = 0; k < values.length; k++) {
            values[k] = known.isEstimated(k) ? values[k] : 0;
        }
        return new Scores(values, known.estimateErrors(), known.intercept());
    }

    /** A row with all its zeros, and a 1 for the last coefficient if that is the intercept's. */
    static double[] row(Dataset rows, int i, int coefficients, boolean intercept) {
        double[] row = new double[coefficients];
        rows.addTo(i, 1, row);
        if (intercept) {
            row[coefficients - 1] = 1;
        }
        return row;
    }

    double[] row(Dataset rows, int i) {
        return row(rows, i, values.length, intercept);
    }

    /** The score of a row. */
    double score(double[] row, double offset) {
        return offset + Vectors.dot(row, values);
    }

    /** How far that may be off. */
    double radius(double[] row, double offset) {
        double size = Math.abs(offset);
        double error = 0;
        for (int k = 0; k < row.length; k++) {
            size += Math.abs(row[k] * values[k]);
            error += Math.abs(row[k]) * errors[k];
        }
        return error + Coefficient.ROUNDING * size;
    }

    /** xᵀVx for a symmetric matrix of which the lower triangle is given. */
    static double quadratic(double[] triangle, double[] vector) {
        double sum = 0;
        for (int a = 0; a < vector.length; a++) {
            for (int b = 0; vector[a] != 0 && b < vector.length; b++) {
                sum += vector[b] == 0 ? 0 : vector[a] * vector[b] * Inference.entry(triangle, a, b);
            }
        }
        return sum;
    }
}
