package dev.starling.network.spectrum;

import dev.starling.internal.Vectors;
import java.util.Arrays;

/** Solves L x = b on a connected graph by conjugate gradients, preconditioned by approximate elimination. */
public final class LaplacianSolver {

    /** The relative error to reach in the norm √(xᵀLx). */
    private static final double TOLERANCE = 1e-12;

    private static final int MOST_ITERATIONS = 1_000;

    private final Laplacian laplacian;
    private final ApproximateElimination preconditioner;
    private final double[] residual;
    private final double[] preconditioned;
    private final double[] direction;
    private final double[] image;

    public LaplacianSolver(Laplacian laplacian) {
        this.laplacian = laplacian;
        this.preconditioner = new ApproximateElimination(laplacian);
        this.residual = new double[laplacian.size];
        this.preconditioned = new double[laplacian.size];
        this.direction = new double[laplacian.size];
        this.image = new double[laplacian.size];
    }

    /**
     * Finds the solution that sums to zero, for a right-hand side whose mean is subtracted first; returns the number of
     * iterations.
     */
    public int solve(double[] b, double[] x) {
        Arrays.fill(x, 0.0);
        double mean = Vectors.sum(b) / b.length;
        for (int i = 0; i < b.length; i++) {
            residual[i] = b[i] - mean;
        }
        double energy = precondition();
        double goal = energy * (TOLERANCE * TOLERANCE);
        System.arraycopy(preconditioned, 0, direction, 0, b.length);
        for (int iteration = 0; ; iteration++) {
            if (!(energy > goal)) {
                return iteration;
            }
            if (iteration == MOST_ITERATIONS) {
                throw new IllegalStateException("a Laplacian system of " + b.length + " nodes was not solved within "
                        + MOST_ITERATIONS + " iterations");
            }
            laplacian.multiply(direction, image);
            double step = energy / Vectors.dot(direction, image);
            Vectors.add(x, step, direction);
            Vectors.add(residual, -step, image);
            double before = energy;
            energy = precondition();
            double keep = energy / before;
            for (int i = 0; i < b.length; i++) {
                direction[i] = preconditioned[i] + keep * direction[i];
            }
        }
    }

    private double precondition() {
        System.arraycopy(residual, 0, preconditioned, 0, residual.length);
        preconditioner.solve(preconditioned);
        return Vectors.dot(residual, preconditioned);
    }
}
