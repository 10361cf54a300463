package dev.starling.problem;

import dev.starling.data.Dataset;

/**
 * A margin xᵀθ + o that is computed with twice the digits of a double and then rounded: large weights that cancel each
 * other in it cost none of its digits.
 *
 * @param value the margin
 * @param rest what rounding took from it
 * @param distance how far it is from the exact one at most, and a little more than that. By Ogita, Rump and Oishi, a
 *     compensated sum of n terms is off by at most u|m| + n²u² times their sizes; infinite if a product overflows
 * @param distanceOfBoth how far both parts together may be from it
 */
public record RefinedMargin(double value, double rest, double distance, double distanceOfBoth) {

    /** Returns the margin of a row. */
    public static RefinedMargin of(Dataset data, int row, double[] theta) {
        CompensatedSum sum = new CompensatedSum();
        sum.add(data.offset(row));
        double size = Math.abs(data.offset(row));
        int start = data.start(row);
        for (int k = start; k < data.end(row); k++) {
            double entry = theta[data.column(row, k)];
            double product = data.value(row, k) * entry;
            sum.add(product);
            sum.add(Math.fma(data.value(row, k), entry, -product));
            size += Math.abs(product);
        }
        double margin = size < Double.POSITIVE_INFINITY ? sum.value() : data.dot(row, theta) + data.offset(row);
        double terms = 2.0 * (data.end(row) - start + 1);
        double cancelled = terms * terms * Rounding.UNIT * size;
        return new RefinedMargin(
                margin,
                size < Double.POSITIVE_INFINITY ? sum.rest() : 0,
                2 * Rounding.UNIT * (Math.abs(margin) + cancelled),
                2 * Rounding.UNIT * (2 * Rounding.UNIT * Math.abs(margin) + cancelled));
    }
}
