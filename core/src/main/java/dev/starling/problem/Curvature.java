package dev.starling.problem;

import dev.starling.data.Dataset;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The largest eigenvalue λ of Σ_j w_j x_j x_jᵀ, by power iteration. The estimate errs on the large side, because the
 * guarantees of the tuning would not hold for one that is too small.
 *
 * <p>At a node with more than {@value #FEW} samples, the iteration uses that many random draws of them. The trace T =
 * Σ_j w_j‖x_j‖² is divided into that many equal parts, and one row is drawn from each, so that a row is drawn in
 * proportion to its part of T; each draw counts with weight T/(draws·‖x‖²). Large rows are then represented, however
 * rare or periodic they are. Along the top eigenvector, the draws are independent, lie between 0 and T/draws and sum to
 * λ in expectation. By Chernoff's bound, λ̂, the largest eigenvalue of the drawn matrix, is therefore less than λ −
 * √(2·{@value #CERTAINTY}·λT/draws) with probability at most e<sup>−{@value #CERTAINTY}</sup>. The result is the
 * largest λ that this leaves possible. If that is much larger than λ̂, because T/λ is large, there is a second attempt
 * with {@value #MANY} draws, or with all samples if there are no more.
 */
final class Curvature {

    private static final int FEW = 4096;
    private static final int MANY = 4 * FEW;

    /** Minus the logarithm of the probability that the bound from random draws fails. */
    private static final int CERTAINTY = 8;

    /** A bound is good enough if it exceeds the estimate by no more than this factor. */
    private static final double GOOD_ENOUGH = 1.25;

    private static final int MAX_ITERATIONS = 100;
    private static final double TOLERANCE = 1e-3;

    /** A margin for stopping early: power iteration converges from below. */
    private static final double ITERATION_MARGIN = 1.01;

    private static final long[] SEED = {
        0xD1B54A32D192ED03L, 0x8CB92BA72F3D8DD7L, 0xABC98388FB8FAC03L, 0x9E6C63D0676A9A99L
    };

    private final LocalProblem problem;
    private final Dataset data;
    private final double trace;
    private final double largestPart;

    private Curvature(LocalProblem problem) {
        this.problem = problem;
        this.data = problem.data();
        double sum = 0;
        double largest = 0;
        for (int j = 0; j < problem.samples(); j++) {
            double part = part(problem.row(j));
            sum += part;
            largest = Math.max(largest, part);
        }
        this.trace = sum;
        this.largestPart = largest;
    }

    static double largestEigenvalue(LocalProblem problem) {
        Curvature curvature = new Curvature(problem);
        // In the direction of a row, the Rayleigh quotient is at least the row's part, so λ is at least the largest.
        return Math.max(curvature.largestPart, curvature.estimate());
    }

    private double estimate() {
        for (int draws = FEW; draws < problem.samples(); draws = MANY) {
            double sampled = ITERATION_MARGIN * largestEigenvalue(drawn(draws));
            double bound = largestPossible(sampled, draws);
            if (bound <= GOOD_ENOUGH * sampled || draws == MANY) {
                return Math.min(bound, trace);
            }
        }
        return ITERATION_MARGIN * largestEigenvalue(allRows());
    }

    /** A row's part of the trace, w‖x‖². */
    private double part(int row) {
        return data.weight(row) * data.squaredNorm(row);
    }

    /** The root λ of λ − √(2·certainty·λ·trace/draws) = sampled. */
    private double largestPossible(double sampled, int draws) {
        double half = Math.sqrt(CERTAINTY * trace / (2 * draws));
        double root = half + Math.sqrt(half * half + sampled);
        return root * root;
    }

    /**
     * The matrix Σ scale·x xᵀ over some rows, and the vector from which the iteration starts.
     *
     * @param count the number of entries of the arrays that are used
     */
    private record ScaledRows(int[] rows, double[] scales, int count, double[] start) {}

    private ScaledRows allRows() {
        int count = problem.samples();
        int[] rows = new int[count];
        double[] scales = new double[count];
        double[] start = new double[problem.features()];
        for (int j = 0; j < count; j++) {
            rows[j] = problem.row(j);
            scales[j] = data.weight(rows[j]);
            // Start from a sum of the rows; the two weights keep pairs of opposite rows from cancelling.
            data.addTo(rows[j], (j & 1) == 0 ? 1.0 : 0.7, start);
        }
        return new ScaledRows(rows, scales, count, start);
    }

    private ScaledRows drawn(int draws) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(SEED);
        int[] rows = new int[draws];
        double[] scales = new double[draws];
        double[] start = new double[problem.features()];
        int count = 0;
        int done = 0;
        double stride = trace / draws;
        double next = uniform(random) * stride;
        double cumulated = 0;
        for (int j = 0; j < problem.samples() && done < draws; j++) {
            int row = problem.row(j);
            cumulated += part(row);
            int times = 0;
            while (done < draws && next < cumulated) {
                times++;
                done++;
                next = (done + uniform(random)) * stride;
            }
            if (times > 0) {
                rows[count] = row;
                scales[count] = times * stride / data.squaredNorm(row);
                // With random signs, no pattern of the rows makes them cancel; large directions get the largest part.
                double sign = random.nextLong() < 0 ? -1 : 1;
                data.addTo(row, sign * Math.sqrt(scales[count]), start);
                count++;
            }
        }
        return new ScaledRows(rows, scales, count, start);
    }

    private static double uniform(UniformRandomProvider random) {
        return (random.nextLong() >>> 11) * 0x1p-53;
    }

    private double largestEigenvalue(ScaledRows matrix) {
        double[] direction = matrix.start();
        double[] next = new double[direction.length];
        double eigenvalue = 0;
        for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
            double norm = norm(direction);
            if (norm == 0) {
                // The rows cancelled each other; any vector that is not orthogonal to all of them will do.
                for (int c = 0; c < direction.length; c++) {
                    direction[c] = 1.0 / (1 + c % 7);
                }
                norm = norm(direction);
            }
            Arrays.fill(next, 0);
            for (int k = 0; k < matrix.count(); k++) {
                int row = matrix.rows()[k];
                data.addTo(row, matrix.scales()[k] * data.dot(row, direction) / norm, next);
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

    private static double norm(double[] vector) {
        double sum = 0;
        for (double value : vector) {
            sum += value * value;
        }
        return Math.sqrt(sum);
    }
}
