package dev.starling.connect;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;

/** What MLlib's estimators minimise, from the definitions in their documentation, computed row by row. */
final class Objective {

    private final double[][] x;
    private final double[] y;
    private final double[] weights;
    private final double[] offsets;

    /** Reads rows of features, label, weight and offset. */
    Objective(List<Row> rows, Map<String, Object> params) {
        x = rows.stream().map(row -> row.<Vector>getAs(0).toArray()).toArray(double[][]::new);
        y = rows.stream().mapToDouble(row -> row.getDouble(1)).toArray();
        weights = rows.stream()
                .mapToDouble(row -> params.containsKey("weightCol") ? row.getDouble(2) : 1.0)
                .toArray();
        offsets = rows.stream()
                .mapToDouble(row -> params.containsKey("offsetCol") ? row.getDouble(3) : 0.0)
                .toArray();
    }

    /** Minus the likelihood or the like of one row, by its score. */
    interface Loss {
        double at(double score, double label);
    }

    private double total() {
        return Arrays.stream(weights).sum();
    }

    /** The mean loss of rows. */
    double mean(Loss loss, double[] coefficients, double intercept) {
        double sum = 0;
        for (int i = 0; i < y.length; i++) {
            double score = intercept + offsets[i];
            for (int j = 0; j < coefficients.length; j++) {
                score += coefficients[j] * x[i][j];
            }
            sum += weights[i] * loss.at(score, y[i]);
        }
        return sum / total();
    }

    /** The penalty of coefficients, those of features divided by their deviations if these are standardised. */
    double penalty(double l2, double l1, boolean standardised, boolean population, double... coefficients) {
        double sum = 0;
        for (int j = 0; j < coefficients.length; j++) {
            int column = j;
            double scale = standardised ? deviation(population, i -> x[i][column]) : 1;
            double theta = coefficients[j] * scale;
            sum += l2 / 2 * theta * theta + l1 * Math.abs(theta);
        }
        return sum;
    }

    /** The deviation of the label. */
    double labelDeviation(boolean population) {
        return deviation(population, i -> y[i]);
    }

    private double deviation(boolean population, java.util.function.IntToDoubleFunction value) {
        double total = total();
        double mean = 0;
        double squares = 0;
        for (int i = 0; i < y.length; i++) {
            mean += weights[i] * value.applyAsDouble(i) / total;
            squares += weights[i] * weights[i];
        }
        double sum = 0;
        for (int i = 0; i < y.length; i++) {
            double away = value.applyAsDouble(i) - mean;
            sum += weights[i] * away * away;
        }
        return Math.sqrt(sum / (population ? total : total - squares / total));
    }
}
