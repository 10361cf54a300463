package dev.starling.method.newton;

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
            aliased[column] = !(pivot > LEAST * entry(hessian, d, column, column));
            if (!aliased[column]) {
                row[count++] = Math.sqrt(pivot);
                rows[column] = row;
            }
        }
        return aliased;
    }

    private static double entry(double[] hessian, int d, int a, int b) {
        return hessian[Math.max(a, b) * d + Math.min(a, b)];
    }
}
