package dev.starling.problem;

import dev.starling.data.Dataset;

/**
 * The largest eigenvalue of Σ_j w_j x_j x_jᵀ, by power iteration.
 *
 * <p>A node with many samples iterates on {@value #SUBSAMPLE} of them, evenly spread, and scales up with a margin of 10
 * %: an overestimate costs a few communication rounds, and the iterations would otherwise cost as much as the training.
 */
final class Curvature {

    private static final int SUBSAMPLE = 4096;
    private static final double SUBSAMPLE_MARGIN = 1.1;
    private static final int MAX_ITERATIONS = 100;
    private static final double TOLERANCE = 1e-3;

    /** Power iteration converges from below: what the last digits may still add. */
    private static final double ITERATION_MARGIN = 1.01;

    private Curvature() {}

    static double largestEigenvalue(LocalProblem problem) {
        int samples = problem.samples();
        int used = Math.min(samples, SUBSAMPLE);
        double estimate = ITERATION_MARGIN * powerIteration(problem, used);
        return used == samples ? estimate : SUBSAMPLE_MARGIN * estimate * samples / used;
    }

    private static double powerIteration(LocalProblem problem, int used) {
        Dataset data = problem.data();
        double[] direction = new double[problem.features()];
        double[] next = new double[direction.length];
        // A start with a part along every row: the sum of rows, signs kept apart by their own norms.
        for (int k = 0; k < used; k++) {
            int row = spread(problem, k, used);
            data.addTo(row, (k & 1) == 0 ? 1.0 : 0.7, direction);
        }
        double eigenvalue = 0;
        for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
            double norm = norm(direction);
            if (norm == 0) {
                // The rows cancelled: any vector that is not orthogonal to all of them will do.
                for (int c = 0; c < direction.length; c++) {
                    direction[c] = 1.0 / (1 + c % 7);
                }
                norm = norm(direction);
            }
            java.util.Arrays.fill(next, 0);
            for (int k = 0; k < used; k++) {
                int row = spread(problem, k, used);
                data.addTo(row, data.weight(row) * data.dot(row, direction) / norm, next);
            }
            double previous = eigenvalue;
            eigenvalue = norm(next);
            double[] swap = direction;
            direction = next;
            next = swap;
            if (Math.abs(eigenvalue - previous) <= TOLERANCE * eigenvalue) {
                break;
            }
        }
        return eigenvalue;
    }

    private static int spread(LocalProblem problem, int k, int used) {
        return problem.row((int) ((long) k * problem.samples() / used));
    }

    private static double norm(double[] vector) {
        double sum = 0;
        for (double value : vector) {
            sum += value * value;
        }
        return Math.sqrt(sum);
    }
}
