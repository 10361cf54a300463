package dev.starling.objective;

import dev.starling.internal.Vectors;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Makes up for the leverage of clusters, as Bell and McCaffrey do (CR2): with XᵀX the inverse of the information and S
 * = XH_cXᵀ the part of a cluster, its slopes Xg are multiplied by A = (I − S)^(−½). Also adds up what Satterthwaite's
 * degrees of freedom consist of: for a coefficient with q = Xe, a = qᵀASAq and u = SAq.
 *
 * @param inverse X, lower triangular, d × d row by row
 * @param raw q of each coefficient, as the columns of a d × d matrix, row by row
 */
public record ClusterLeverages(double[] inverse, double[] raw) {

    /**
     * If more than this of some combination of coefficients is known from one cluster alone, it tells nothing of it.
     */
    private static final double ALONE = 1 - 1e-10;

    /** Adds the lower triangle of vvᵀ. */
    static void addSquare(double[] vector, double[] sums, int from) {
        int at = from;
        for (int i = 0; i < vector.length; i++) {
            for (int k = 0; k <= i; k++) {
                sums[at] = Math.fma(vector[i], vector[k], sums[at]);
                at++;
            }
        }
    }

    /**
     * Adds what a cluster contributes: the square of its adjusted slopes, in terms of X, then the numbers for each
     * coefficient. Returns ‖A‖ and ‖Xg‖.
     */
    double[] add(double[] slopes, double[] information, double[] sums, int from) {
        int d = slopes.length;
        double[][] part = part(information, d);
        double[][] root = inverseRoot(part);
        double[] image = new double[d];
        for (int b = 0; b < d; b++) {
            for (int a = 0; a <= b; a++) {
                image[b] = Math.fma(inverse[b * d + a], slopes[a], image[b]);
            }
        }
        addSquare(times(root, image), sums, from);
        int triangle = d * (d + 1) / 2;
        int at = from + triangle;
        for (int k = 0; k < d; k++) {
            double[] q = new double[d];
            for (int b = 0; b < d; b++) {
                q[b] = raw[b * d + k];
            }
            double[] turned = times(root, q);
            double[] u = times(part, turned);
            double a = Vectors.dotInTurn(turned, u, u.length);
            double square = Vectors.dotInTurn(u, u, u.length);
            sums[at] += a;
            sums[at + 1] += square;
            sums[at + 2] += a * a;
            sums[at + 3] += a * square;
            addSquare(u, sums, at + InformationPass.DEGREES);
            at += InformationPass.DEGREES + triangle;
        }
        double norm = 0;
        for (double[] row : root) {
            norm += Vectors.dotInTurn(row, row, row.length);
        }
        return new double[] {Math.sqrt(norm), Math.sqrt(Vectors.dotInTurn(image, image, image.length))};
    }

    /**
     * Returns the degrees of freedom of a coefficient from the totals: (Σa − Σ‖u‖²)²/(Σa² − 2Σa‖u‖² + ‖Σuuᵀ‖²).
     *
     * @param at the index of its numbers
     */
    public static double degrees(double[] totals, int at, int d) {
        double squares = 0;
        int entry = at + InformationPass.DEGREES;
        for (int i = 0; i < d; i++) {
            for (int k = 0; k <= i; k++) {
                squares += (i == k ? 1 : 2) * totals[entry] * totals[entry];
                entry++;
            }
        }
        double mean = totals[at] - totals[at + 1];
        return mean * mean / (totals[at + 2] - 2 * totals[at + 3] + squares);
    }

    /** S. */
    private double[][] part(double[] information, int d) {
        double[][] half = new double[d][d];
        double[][] part = new double[d][d];
        for (int b = 0; b < d; b++) {
            for (int c = 0; c < d; c++) {
                for (int a = 0; a <= b; a++) {
                    int row = Math.max(a, c);
                    half[b][c] =
                            Math.fma(inverse[b * d + a], information[row * (row + 1) / 2 + Math.min(a, c)], half[b][c]);
                }
            }
        }
        for (int b = 0; b < d; b++) {
            for (int c = 0; c < d; c++) {
                for (int a = 0; a <= c; a++) {
                    part[b][c] = Math.fma(half[b][a], inverse[c * d + a], part[b][c]);
                }
            }
        }
        return part;
    }

    /** (I − S)^(−½), without the directions in which S is 1. */
    private static double[][] inverseRoot(double[][] part) {
        int d = part.length;
        EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, true, true);
        eigen.decompose(new DMatrixRMaj(part));
        double[][] root = new double[d][d];
        for (int k = 0; k < d; k++) {
            double value = eigen.getEigenvalue(k).getReal();
            DMatrixRMaj vector = eigen.getEigenVector(k);
            double factor = value < ALONE ? 1 / Math.sqrt(1 - value) : 0;
            for (int a = 0; a < d; a++) {
                for (int b = 0; b < d; b++) {
                    root[a][b] = Math.fma(factor * vector.get(a), vector.get(b), root[a][b]);
                }
            }
        }
        return root;
    }

    private static double[] times(double[][] matrix, double[] vector) {
        double[] result = new double[vector.length];
        for (int a = 0; a < result.length; a++) {
            result[a] = Vectors.dotInTurn(matrix[a], vector, vector.length);
        }
        return result;
    }
}
