package dev.starling.method.newton;

import java.util.Arrays;

/**
 * Finds features that are linear combinations of earlier ones. Without regularisation their weights are not determined,
 * so they are left out, as in R. Such a feature leaves no pivot when the Hessian is factorised; the intercept comes
 * first.
 */
final class Aliasing {

    /** The part of a feature's square that earlier features do not explain must be greater than this. */
    private static final double LEAST = 0x1p-40;

    private Aliasing() {}

    /**
     * Returns for each feature whether it is such a combination.
     *
     * @param hessian d × d, row by row, of which only the lower triangle is read
     * @param interceptIsLast whether the last feature is the intercept's
     */
    static boolean[] of(double[] hessian, int d, boolean interceptIsLast) {
        double[] pivots = pivots(hessian, d, interceptIsLast);
        boolean[] aliased = new boolean[d];
        for (int c = 0; c < d; c++) {
            aliased[c] = !(pivots[c] > LEAST);
        }
        return aliased;
    }

    /** Returns whether a matrix is not that of a convex function, however much is rounded. */
    static boolean isIndefinite(double[] hessian, int d, boolean interceptIsLast) {
        return Arrays.stream(pivots(hessian, d, interceptIsLast)).anyMatch(pivot -> pivot < -LEAST);
    }

    /** Returns what earlier features leave of each diagonal entry, as a part of its absolute value. */
    private static double[] pivots(double[] hessian, int d, boolean interceptIsLast) {
        double[] pivots = new double[d];
        int shift = interceptIsLast ? d - 1 : 0;
        double[][] rows = new double[d][];
        boolean[] aliased = new boolean[d];
        int count = 0;
        for (int k = 0; k < d; k++) {
            int column = (k + shift) % d;
            double[] row = new double[count + 1];
            double pivot = entry(hessian, d, column, column);
            for (int j = 0, at = 0; j < k; j++) {
                int earlier = (j + shift) % d;
                if (!aliased[earlier]) {
                    double sum = entry(hessian, d, column, earlier);
                    for (int i = 0; i < at; i++) {
                        sum -= row[i] * rows[earlier][i];
                    }
                    row[at] = sum / rows[earlier][at];
                    pivot -= row[at] * row[at];
                    at++;
                }
            }
            double size = Math.abs(entry(hessian, d, column, column));
            pivots[column] = size == 0 ? 0 : pivot / size;
            aliased[column] = !(pivot > LEAST * size);
            if (!aliased[column]) {
                row[count++] = Math.sqrt(pivot);
                rows[column] = row;
            }
        }
        return pivots;
    }

    private static double entry(double[] hessian, int d, int a, int b) {
        return hessian[Math.max(a, b) * d + Math.min(a, b)];
    }
}
