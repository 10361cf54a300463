package dev.starling.method.newton;

import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where points that follow each other seem to lead: the mean of the last ones with weights of sum 1 that make the same
 * mean of their differences shortest (Anderson 1965; for coordinate descent, Bertrand and Massias 2021).
 */
final class Extrapolation {

    private static final int STEPS = 5;

    /** Differences that depend on each other are told apart by so much of their mean square. */
    private static final double RIDGE = 1e-10;

    private final double[][] points = new double[STEPS + 1][];
    private int count;

    void clear() {
        count = 0;
    }

    /** Adds a point, which is copied; returns where the last ones lead each time that there are enough of them. */
    Optional<double[]> next(double[] point) {
        points[count++] = point.clone();
        if (count <= STEPS) {
            return Optional.empty();
        }
        double[] gram = new double[STEPS * STEPS];
        double[][] steps = new double[STEPS][point.length];
        double trace = 0;
        for (int i = 0; i < STEPS; i++) {
            for (int k = 0; k < point.length; k++) {
                steps[i][k] = points[i + 1][k] - points[i][k];
            }
            for (int j = 0; j <= i; j++) {
                gram[i * STEPS + j] = Vectors.dot(steps[i], steps[j]);
            }
            trace += gram[i * STEPS + i];
        }
        for (int i = 0; i < STEPS; i++) {
            gram[i * STEPS + i] += RIDGE * trace / STEPS;
        }
        points[0] = points[STEPS];
        count = 1;
        if (!(trace > 0) || !Cholesky.factorise(gram, STEPS)) {
            return Optional.empty();
        }
        double[] ones = new double[STEPS];
        Arrays.fill(ones, 1);
        double[] weights = new double[STEPS];
        Cholesky.solve(gram, STEPS, ones, weights);
        double sum = Vectors.dot(weights, ones);
        double[] mean = new double[point.length];
        for (int i = 0; i < STEPS; i++) {
            for (int k = 0; k < mean.length; k++) {
                mean[k] = Math.fma(weights[i] / sum, points[i + 1][k], mean[k]);
            }
        }
        return Optional.of(mean);
    }
}
