package dev.starling.lab.baseline.node;

import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;

/** Multiplies vectors by the inverse of f's Hessian σI + Σ_j w_j ℓ''(x_jᵀθ) x_j x_jᵀ at some θ. */
public interface InverseHessian {

    /** Computes the Hessian at θ, to be used from now on. */
    void refresh(double[] theta);

    /** Writes H⁻¹ r, either exactly or to two digits. */
    void apply(double[] r, double[] result);

    /** The implementation that suits the number of features: a factorisation up to 300, conjugate gradients beyond. */
    static InverseHessian of(Samples samples, double sigma) {
        return samples.features() <= Factor.MOST_FEATURES
                ? new Factor(samples, sigma)
                : new ConjugateGradients(samples, sigma);
    }

    /** Stores the Hessian as a factorised matrix. */
    final class Factor implements InverseHessian {

        private static final int MOST_FEATURES = 300;

        private final Samples samples;
        private final double sigma;
        private final double[] matrix;

        Factor(Samples samples, double sigma) {
            this.samples = samples;
            this.sigma = sigma;
            this.matrix = new double[samples.features() * samples.features()];
        }

        @Override
        public void refresh(double[] theta) {
            int d = samples.features();
            java.util.Arrays.fill(matrix, 0);
            for (int j = 0; j < samples.count(); j++) {
                double curvature = samples.curvature(j, samples.dot(j, theta));
                if (curvature > 0) {
                    samples.addOuter(j, curvature, matrix);
                }
            }
            for (int c = 0; c < d; c++) {
                matrix[c * d + c] += sigma;
            }
            Cholesky.factorise(matrix, d);
        }

        @Override
        public void apply(double[] r, double[] result) {
            Cholesky.solve(matrix, samples.features(), r, result);
        }
    }

    /**
     * Applies the Hessian as an operator and inverts it to two digits by conjugate gradients, preconditioned by its
     * diagonal.
     */
    final class ConjugateGradients implements InverseHessian {

        private static final double TOLERANCE = 1e-2;
        private static final int MOST_ITERATIONS = 500;

        private final Samples samples;
        private final double sigma;
        private final double[] curvatures;
        private final double[] diagonal;
        private final double[] residual;
        private final double[] scaled;
        private final double[] direction;
        private final double[] product;

        ConjugateGradients(Samples samples, double sigma) {
            int d = samples.features();
            this.samples = samples;
            this.sigma = sigma;
            this.curvatures = new double[samples.count()];
            this.diagonal = new double[d];
            this.residual = new double[d];
            this.scaled = new double[d];
            this.direction = new double[d];
            this.product = new double[d];
        }

        @Override
        public void refresh(double[] theta) {
            java.util.Arrays.fill(diagonal, sigma);
            for (int j = 0; j < curvatures.length; j++) {
                curvatures[j] = Math.max(0, samples.curvature(j, samples.dot(j, theta)));
                samples.addSquares(j, curvatures[j], diagonal);
            }
        }

        @Override
        public void apply(double[] r, double[] result) {
            java.util.Arrays.fill(result, 0);
            System.arraycopy(r, 0, residual, 0, r.length);
            double goal = TOLERANCE * Vectors.norm(r);
            double energy = precondition();
            System.arraycopy(scaled, 0, direction, 0, scaled.length);
            for (int k = 0; k < MOST_ITERATIONS && Vectors.norm(residual) > goal; k++) {
                multiply();
                double length = energy / Vectors.dot(direction, product);
                for (int c = 0; c < result.length; c++) {
                    result[c] += length * direction[c];
                    residual[c] -= length * product[c];
                }
                double before = energy;
                energy = precondition();
                for (int c = 0; c < direction.length; c++) {
                    direction[c] = scaled[c] + energy / before * direction[c];
                }
            }
        }

        private double precondition() {
            for (int c = 0; c < scaled.length; c++) {
                scaled[c] = residual[c] / diagonal[c];
            }
            return Vectors.dot(residual, scaled);
        }

        private void multiply() {
            for (int c = 0; c < product.length; c++) {
                product[c] = sigma * direction[c];
            }
            for (int j = 0; j < curvatures.length; j++) {
                if (curvatures[j] > 0) {
                    samples.add(j, curvatures[j] * samples.dot(j, direction), product);
                }
            }
        }
    }
}
