package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The weights of rows times those of their classes, all multiplied by a power of two that brings the largest between 1
 * and 2: the objective, a weighted mean, stays the same, and products with weights do not become too small for doubles.
 *
 * @param values the weights, one per row
 * @param exponent of the power of two that gives back the weights as they were
 */
record CheckedWeights(double[] values, int exponent) {

    /** Returns the weights of rows that a claim is about. */
    static CheckedWeights of(Claim claim, Dataset rows) {
        Map<Double, Double> ofClasses = claim.balanced() ? balanced(rows) : claim.classWeights();
        double[] weights = new double[rows.rows()];
        Arrays.setAll(weights, i -> rows.weight(i) * ofClasses.getOrDefault(rows.label(i) + 0.0, 1.0));
        double largest = Arrays.stream(weights).max().orElse(0);
        if (!(largest > 0 && largest < Double.POSITIVE_INFINITY)) {
            throw new InvalidInputException(
                    "the largest weight of a row is " + largest + "; give the weights that the model was trained with");
        }
        int exponent = Math.getExponent(largest);
        Arrays.setAll(weights, i -> Math.scalb(weights[i], -exponent));
        return new CheckedWeights(weights, exponent);
    }

    /** Returns the weights with which all classes in the rows have the same total weight. */
    private static Map<Double, Double> balanced(Dataset rows) {
        Map<Double, Double> totals = new TreeMap<>();
        double all = 0;
        for (int i = 0; i < rows.rows(); i++) {
            totals.merge(rows.label(i) + 0.0, rows.weight(i), Double::sum);
            all += rows.weight(i);
        }
        double each = all / totals.size();
        totals.replaceAll((label, total) -> each / total);
        return totals;
    }
}
