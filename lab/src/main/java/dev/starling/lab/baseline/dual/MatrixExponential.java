package dev.starling.lab.baseline.dual;

/**
 * The exponential e^M of a small square matrix: the Taylor series of M/2^s, which needs few terms because M/2^s is
 * small, squared s times.
 */
public final class MatrixExponential {

    private static final double SMALL = 0.5;

    /** The highest power; the next term, at most 0.5^15/15!, is below the rounding error of 1. */
    private static final int TERMS = 14;

    private MatrixExponential() {}

    /** e^{tM}. */
    public static double[][] of(double[][] matrix, double t) {
        int size = matrix.length;
        double norm = 0;
        for (double[] row : matrix) {
            double sum = 0;
            for (double entry : row) {
                sum += Math.abs(entry * t);
            }
            norm = Math.max(norm, sum);
        }
        int squarings = norm > SMALL ? Math.getExponent(norm / SMALL) + 1 : 0;
        double[][] scaled = new double[size][size];
        double[][] result = new double[size][size];
        for (int i = 0; i < size; i++) {
            result[i][i] = 1;
            for (int k = 0; k < size; k++) {
                scaled[i][k] = Math.scalb(matrix[i][k] * t, -squarings);
            }
        }
        // Horner's rule: I + X(I + X/2(I + X/3(…)))
        for (int term = TERMS; term > 0; term--) {
            result = product(scaled, result);
            for (int i = 0; i < size; i++) {
                for (int k = 0; k < size; k++) {
                    result[i][k] = result[i][k] / term + (i == k ? 1 : 0);
                }
            }
        }
        for (int k = 0; k < squarings; k++) {
            result = product(result, result);
        }
        return result;
    }

    private static double[][] product(double[][] a, double[][] b) {
        int size = a.length;
        double[][] product = new double[size][size];
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                double factor = a[i][k];
                for (int j = 0; j < size; j++) {
                    product[i][j] += factor * b[k][j];
                }
            }
        }
        return product;
    }
}
