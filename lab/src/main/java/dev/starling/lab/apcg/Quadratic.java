package dev.starling.lab.apcg;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * A quadratic given by matrices: q_A(x) = ½ Σ_r w_r ((Ax)_r − b_r)², whose projector A⁺A and strong convexity σ_A are
 * computed: σ_A is the smallest eigenvalue of Aᵀ diag(w) A on the orthogonal complement of Ker(A). Matrices are dense:
 * meant for problems of up to a few thousand coordinates.
 */
public final class Quadratic implements SmoothPart {

    /** Eigenvalues below this fraction of the largest belong to the kernel. */
    private static final double KERNEL = 1e-11;

    private final double[][] matrix;
    private final double[] weights;
    private final double[] target;
    private final double[][] hessian;
    private final double[] linear;
    private final double[][] projector;
    private final double strongConvexity;

    private Quadratic(Quadratic other, double strongConvexity) {
        this.matrix = other.matrix;
        this.weights = other.weights;
        this.target = other.target;
        this.hessian = other.hessian;
        this.linear = other.linear;
        this.projector = other.projector;
        this.strongConvexity = strongConvexity;
    }

    private Quadratic(double[][] matrix, double[] weights, double[] target) {
        this.matrix = Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new);
        this.weights = weights.clone();
        this.target = target.clone();
        int dimension = matrix[0].length;
        this.hessian = new double[dimension][dimension];
        this.linear = new double[dimension];
        for (int r = 0; r < matrix.length; r++) {
            if (!(weights[r] >= 0) || Double.isInfinite(weights[r])) {
                throw new IllegalArgumentException(
                        "row " + r + " has weight " + weights[r] + "; weights must be 0 or more, and finite");
            }
            for (int i = 0; i < dimension; i++) {
                linear[i] -= weights[r] * matrix[r][i] * target[r];
                for (int k = 0; k < dimension; k++) {
                    hessian[i][k] += weights[r] * matrix[r][i] * matrix[r][k];
                }
            }
        }
        this.projector = projector(matrix);
        this.strongConvexity = smallestEigenvalueOutsideTheKernel();
    }

    /**
     * The quadratic ½ Σ_r w_r ((Ax)_r − b_r)².
     *
     * @param matrix A, row by row
     * @param weights w, one number per row, 0 or more
     * @param target b, one number per row
     */
    public static Quadratic of(double[][] matrix, double[] weights, double[] target) {
        if (matrix.length == 0 || weights.length != matrix.length || target.length != matrix.length) {
            throw new IllegalArgumentException(matrix.length + " rows, " + weights.length + " weights and "
                    + target.length + " targets; there must be one of each per row, and at least one row");
        }
        return new Quadratic(matrix, weights, target);
    }

    /** A⁺A: the sum of v vᵀ over the eigenvectors v of AᵀA outside its kernel. */
    private static double[][] projector(double[][] matrix) {
        DMatrixRMaj rows = new DMatrixRMaj(matrix);
        DMatrixRMaj gram = new DMatrixRMaj(rows.numCols, rows.numCols);
        CommonOps_DDRM.multTransA(rows, rows, gram);
        EigenDecomposition_F64<DMatrixRMaj> eigen = eigen(gram, true);
        double largest = eigenvalues(eigen)[rows.numCols - 1];
        double[][] projector = new double[rows.numCols][rows.numCols];
        for (int e = 0; e < rows.numCols; e++) {
            if (eigen.getEigenvalue(e).getReal() > KERNEL * largest) {
                double[] vector = eigen.getEigenVector(e).getData();
                for (int i = 0; i < vector.length; i++) {
                    for (int k = 0; k < vector.length; k++) {
                        projector[i][k] += vector[i] * vector[k];
                    }
                }
            }
        }
        return projector;
    }

    /** The smallest eigenvalue of H + λ_max(H)(I − A⁺A), in which the kernel of A has been moved out of the way. */
    private double smallestEigenvalueOutsideTheKernel() {
        double[] values = eigenvalues(eigen(new DMatrixRMaj(hessian), false));
        double largest = values[values.length - 1];
        DMatrixRMaj lifted = new DMatrixRMaj(hessian);
        for (int i = 0; i < values.length; i++) {
            for (int k = 0; k < values.length; k++) {
                lifted.add(i, k, largest * ((i == k ? 1 : 0) - projector[i][k]));
            }
        }
        double smallest = eigenvalues(eigen(lifted, false))[0];
        return smallest > KERNEL * largest ? smallest : 0;
    }

    private static EigenDecomposition_F64<DMatrixRMaj> eigen(DMatrixRMaj symmetric, boolean vectors) {
        EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(symmetric.numCols, vectors, true);
        if (!eigen.decompose(symmetric)) {
            throw new IllegalArgumentException("the eigenvalues of a " + symmetric.numCols + " x " + symmetric.numCols
                    + " matrix were not found; its entries must be finite");
        }
        return eigen;
    }

    /** The eigenvalues in ascending order. */
    private static double[] eigenvalues(EigenDecomposition_F64<DMatrixRMaj> eigen) {
        double[] values = new double[eigen.getNumberOfEigenvalues()];
        Arrays.setAll(values, e -> eigen.getEigenvalue(e).getReal());
        Arrays.sort(values);
        return values;
    }

    /** The same quadratic, solved as if this were its strong convexity, which may be less than the true one. */
    public Quadratic withStrongConvexity(double claimed) {
        return new Quadratic(this, claimed);
    }

    @Override
    public int dimension() {
        return linear.length;
    }

    @Override
    public double value(double[] x) {
        double sum = 0;
        for (int r = 0; r < matrix.length; r++) {
            double miss = -target[r];
            for (int i = 0; i < x.length; i++) {
                miss += matrix[r][i] * x[i];
            }
            sum += weights[r] * miss * miss;
        }
        return sum / 2;
    }

    @Override
    public void gradient(IntToDoubleFunction x, int[] block, double[] into) {
        for (int k = 0; k < block.length; k++) {
            into[k] = linear[block[k]];
        }
        for (int i = 0; i < linear.length; i++) {
            double entry = x.applyAsDouble(i);
            for (int k = 0; k < block.length; k++) {
                into[k] += hessian[block[k]][i] * entry;
            }
        }
    }

    @Override
    public void project(double[] h, int[] block, double[] into) {
        for (int k = 0; k < block.length; k++) {
            double sum = 0;
            for (int l = 0; l < block.length; l++) {
                sum += projector[block[k]][block[l]] * h[l];
            }
            into[k] = sum;
        }
    }

    @Override
    public double strongConvexity() {
        return strongConvexity;
    }

    /** ‖x‖²_{A⁺A}, the squared length of the part of x outside Ker(A). */
    public double squaredSeminorm(double[] x) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            for (int k = 0; k < x.length; k++) {
                sum += x[i] * projector[i][k] * x[k];
            }
        }
        return sum;
    }

    /** The smallest S that the method allows: S² = max over blocks of λ_max(A⁺A P_b⁺ ∇²q_A P_b⁺ A⁺A). */
    public double samplingConstant(ListedBlocks sampling) {
        double largest = 0;
        for (int[] block : sampling.blocks()) {
            largest = Math.max(largest, largestEigenvalue(sampling, block));
        }
        return Math.sqrt(largest);
    }

    private double largestEigenvalue(ListedBlocks sampling, int[] block) {
        int dimension = linear.length;
        DMatrixRMaj scaled = new DMatrixRMaj(dimension, dimension);
        for (int i : block) {
            for (int k : block) {
                scaled.set(i, k, hessian[i][k] / (sampling.probability(i) * sampling.probability(k)));
            }
        }
        DMatrixRMaj around = new DMatrixRMaj(projector);
        DMatrixRMaj half = new DMatrixRMaj(dimension, dimension);
        DMatrixRMaj whole = new DMatrixRMaj(dimension, dimension);
        CommonOps_DDRM.mult(around, scaled, half);
        CommonOps_DDRM.mult(half, around, whole);
        return eigenvalues(eigen(whole, false))[dimension - 1];
    }
}
