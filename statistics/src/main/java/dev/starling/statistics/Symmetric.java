package dev.starling.statistics;

import dev.starling.loss.Elementary;

/** Small symmetric positive definite matrices. */
final class Symmetric {

    /** The part of a diagonal entry that others must leave over. */
    private static final double LEAST = 0x1p-40;

    private Symmetric() {}

    /** The diagonal of the inverse of a matrix. */
    static double[] diagonalOfInverse(double[][] matrix) {
        double[][] inverse = inverse(matrix);
        double[] diagonal = new double[matrix.length];
        for (int k = 0; k < diagonal.length; k++) {
            diagonal[k] = inverse[k][k];
        }
        return diagonal;
    }

    /** The inverse of a matrix. */
    static double[][] inverse(double[][] matrix) {
        double[][] factor = factor(matrix);
        double[][] inverse = new double[matrix.length][];
        for (int k = 0; k < inverse.length; k++) {
            double[] unit = new double[matrix.length];
            unit[k] = 1;
            inverse[k] = solved(factor, unit);
        }
        return inverse;
    }

    /** The logarithm of the determinant; NaN unless the matrix is positive definite beyond rounding. */
    static double logDeterminant(double[][] a) {
        int d = a.length;
        double[][] c = new double[d][d];
        double sum = 0;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double rest = a[i][j];
                for (int k = 0; k < j; k++) {
                    rest -= c[i][k] * c[j][k];
                }
                c[i][j] = i == j ? (rest > LEAST * a[i][i] ? Math.sqrt(rest) : Double.NaN) : rest / c[j][j];
            }
            sum += 2 * Elementary.log(c[i][i]);
        }
        return sum;
    }

    /** The product of two matrices. */
    static double[][] product(double[][] a, double[][] b) {
        double[][] product = new double[a.length][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int k = 0; k < a.length; k++) {
                for (int j = 0; j < a.length; j++) {
                    product[i][j] = Math.fma(a[i][k], b[k][j], product[i][j]);
                }
            }
        }
        return product;
    }

    /** The x with Ax = b. */
    static double[] solve(double[][] a, double[] b) {
        return solved(factor(a), b);
    }

    /** The lower triangular C with CCᵀ = A, for several calls of {@link #solved}. */
    static double[][] factor(double[][] a) {
        int d = a.length;
        double[][] c = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = a[i][j];
                for (int k = 0; k < j; k++) {
                    sum -= c[i][k] * c[j][k];
                }
                c[i][j] = i == j ? Math.sqrt(sum) : sum / c[j][j];
            }
        }
        return c;
    }

    /** The x with CCᵀx = b. */
    static double[] solved(double[][] c, double[] b) {
        double[] x = b.clone();
        for (int i = 0; i < x.length; i++) {
            for (int k = 0; k < i; k++) {
                x[i] -= c[i][k] * x[k];
            }
            x[i] /= c[i][i];
        }
        for (int i = x.length - 1; i >= 0; i--) {
            x[i] /= c[i][i];
            for (int k = 0; k < i; k++) {
                x[k] -= c[i][k] * x[i];
            }
        }
        return x;
    }
}
