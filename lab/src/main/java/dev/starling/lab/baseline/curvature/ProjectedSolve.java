package dev.starling.lab.baseline.curvature;

import dev.starling.internal.Vectors;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/** Solves [H]_μ x = b, where [H]_μ is the symmetric matrix nearest to H that has no eigenvalue below μ. */
public final class ProjectedSolve {

    private ProjectedSolve() {}

    /**
     * Returns the solution.
     *
     * @param triangle the lower triangle of H, row by row
     */
    public static double[] solve(double[] triangle, double floor, double[] b) {
        int d = b.length;
        DMatrixRMaj matrix = new DMatrixRMaj(d, d);
        for (int row = 0, k = 0; row < d; row++) {
            for (int column = 0; column <= row; column++, k++) {
                matrix.set(row, column, triangle[k]);
                matrix.set(column, row, triangle[k]);
            }
        }
        EigenDecomposition_F64<DMatrixRMaj> spectrum = DecompositionFactory_DDRM.eig(d, true, true);
        if (!spectrum.decompose(matrix)) {
            throw new IllegalStateException("no eigenvalues of a matrix of " + d + " rows could be found");
        }
        double[] solution = new double[d];
        for (int k = 0; k < d; k++) {
            double[] direction = spectrum.getEigenVector(k).data;
            double length = Vectors.dot(direction, b) / Math.max(floor, spectrum.getEigenvalue(k).real);
            for (int c = 0; c < d; c++) {
                solution[c] += length * direction[c];
            }
        }
        return solution;
    }
}
