package dev.starling.internal;

/**
 * Cholesky factorisation CCᵀ of symmetric positive definite matrices, stored by rows, in place and in a fixed order of
 * operations.
 */
public final class Cholesky {

    private Cholesky() {}

    /** The smallest pivot that is not just rounding error, relative to the diagonal entry it came from. */
    private static final double SMALLEST_PIVOT = 0x1p-50;

    /**
     * Overwrites the lower half of a d × d matrix, stored by rows, with its factor. A pivot that is lost to rounding is
     * replaced by the smallest one distinguishable from zero, so that a matrix too ill-conditioned for doubles still
     * gets the factor of a matrix close to it.
     *
     * @return whether no pivot had to be replaced
     */
    public static boolean factorise(double[] matrix, int d) {
        boolean whole = true;
        for (int i = 0; i < d; i++) {
            int rowI = i * d;
            for (int j = 0; j < i; j++) {
                int rowJ = j * d;
                matrix[rowI + j] = (matrix[rowI + j] - Vectors.dot(matrix, rowI, matrix, rowJ, j)) / matrix[rowJ + j];
            }
            double pivot = matrix[rowI + i] - Vectors.dot(matrix, rowI, matrix, rowI, i);
            double least = SMALLEST_PIVOT * matrix[rowI + i];
            whole &= pivot > least;
            matrix[rowI + i] = Math.sqrt(Math.max(pivot, least));
        }
        return whole;
    }

    /** Solves CCᵀx = b. */
    public static void solve(double[] factor, int d, double[] b, double[] x) {
        for (int i = 0; i < d; i++) {
            double sum = b[i];
            for (int k = 0; k < i; k++) {
                sum -= factor[i * d + k] * x[k];
            }
            x[i] = sum / factor[i * d + i];
        }
        for (int i = d - 1; i >= 0; i--) {
            double value = x[i] / factor[i * d + i];
            x[i] = value;
            for (int k = 0; k < i; k++) {
                x[k] -= factor[i * d + k] * value;
            }
        }
    }

    /** The symmetric matrix, row by row, whose lower triangle begins at a place among other numbers. */
    public static double[] symmetric(double[] numbers, int from, int d) {
        double[] square = new double[d * d];
        int at = from;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                square[i * d + j] = numbers[at];
                square[j * d + i] = numbers[at++];
            }
        }
        return square;
    }

    /** bᵀM⁻¹b for a matrix M, stored by rows. */
    public static double quadratic(double[] matrix, double[] b) {
        double[] factor = matrix.clone();
        double[] solved = new double[b.length];
        factorise(factor, b.length);
        solve(factor, b.length, b, solved);
        return Vectors.dot(b, solved);
    }

    /** The inverse of a factor, which is lower triangular as well. */
    public static double[] inverse(double[] factor, int d) {
        double[] inverse = new double[d * d];
        for (int i = 0; i < d; i++) {
            double pivot = factor[i * d + i];
            for (int k = 0; k < i; k++) {
                for (int j = 0; j <= k; j++) {
                    inverse[i * d + j] = Math.fma(factor[i * d + k], inverse[k * d + j], inverse[i * d + j]);
                }
            }
            for (int j = 0; j < i; j++) {
                inverse[i * d + j] = -inverse[i * d + j] / pivot;
            }
            inverse[i * d + i] = 1 / pivot;
        }
        return inverse;
    }

    /**
     * Which rows of a symmetric matrix do not depend on those before them, found by eliminating these.
     *
     * @param least the part of its diagonal entry that must be left of a row
     */
    public static boolean[] independent(double[] matrix, int d, double least) {
        double[] left = matrix.clone();
        boolean[] kept = new boolean[d];
        for (int c = 0; c < d; c++) {
            double pivot = left[c * d + c];
            kept[c] = pivot > least * matrix[c * d + c];
            for (int a = c + 1; kept[c] && a < d; a++) {
                double factor = left[a * d + c] / pivot;
                for (int b = c + 1; b < d; b++) {
                    left[a * d + b] -= factor * left[c * d + b];
                }
            }
        }
        return kept;
    }

    /** The inverse of a matrix of which the factor is known. */
    public static double[] inverseOfProduct(double[] factor, int d) {
        double[] inverse = new double[d * d];
        double[] unit = new double[d];
        double[] column = new double[d];
        for (int k = 0; k < d; k++) {
            unit[k] = 1;
            solve(factor, d, unit, column);
            System.arraycopy(column, 0, inverse, k * d, d);
            unit[k] = 0;
        }
        return inverse;
    }
}
