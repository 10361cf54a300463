package dev.starling.inference;

import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import dev.starling.loss.Elementary;
import java.util.Arrays;
import java.util.List;

/**
 * A linear model with a random intercept for every cluster. Only the ratio ρ of the intercepts' variance to that of the
 * residuals is searched for; all else follows. With Z = [X y], W = Σ (Z − Z̄)ᵀ(Z − Z̄) within clusters, N a cluster's
 * weight and s the sum of its Z, the normal equations are those of M(ρ) = W + Σ ssᵀ/(N (1 + ρN)): sums over clusters.
 */
public final class LinearMixed {

    /** The roots of the ratios between which the criterion is looked at first, and how many of them. */
    private static final double LEAST = 1e-4;

    private static final double MOST = 1e6;
    private static final int FIRST_LOOKS = 120;

    /** The sums before those of matrices. */
    private static final int CONSTANTS = 4;

    /** What a cluster adds for every ρ. */
    private record Moments(double weight, double[] sums) {}

    private final boolean restricted;
    private final int columns;
    private final double rows;
    private final double logWeights;
    private final double[] within;
    private final List<Moments> clusters;

    /**
     * Sums up rows.
     *
     * @param restricted whether the restricted likelihood is maximised, rather than the likelihood
     */
    public LinearMixed(List<Cluster> data, int columns, boolean restricted) {
        this.restricted = restricted;
        this.columns = columns;
        this.rows = data.stream().mapToInt(cluster -> cluster.y().length).sum();
        this.within = new double[(columns + 1) * (columns + 1)];
        this.clusters = data.stream().map(this::moments).toList();
        this.logWeights = data.stream()
                .flatMapToDouble(cluster -> Arrays.stream(cluster.weights()))
                .map(Elementary::log)
                .sum();
    }

    private Moments moments(Cluster cluster) {
        double weight = Arrays.stream(cluster.weights()).sum();
        double[][] z = new double[cluster.y().length][];
        double[] sums = new double[columns + 1];
        for (int i = 0; i < z.length; i++) {
            z[i] = Arrays.copyOf(cluster.x()[i], columns + 1);
            z[i][columns] = cluster.y()[i] - cluster.offsets()[i];
            Vectors.add(sums, cluster.weights()[i], z[i]);
        }
        for (int i = 0; i < z.length; i++) {
            Vectors.add(z[i], -1 / weight, sums);
            addSquare(within, cluster.weights()[i], z[i]);
        }
        return new Moments(weight, sums);
    }

    private static void addSquare(double[] target, double factor, double[] vector) {
        for (int a = 0; a < vector.length; a++) {
            for (int b = 0; b < vector.length; b++) {
                target[a * vector.length + b] = Math.fma(factor * vector[a], vector[b], target[a * vector.length + b]);
            }
        }
    }

    /**
     * The fit for a ratio.
     *
     * @param criterion minus twice the (restricted) log-likelihood
     * @param slope its derivative by ρ
     * @param inverse of the normal equations
     * @param variance that of the residuals
     */
    public record At(double rho, double criterion, double slope, double[] theta, double[] inverse, double variance) {}

    /** The number of {@link #sums}. */
    static int numbers(int columns) {
        return CONSTANTS + (columns + 1) * (columns + 2);
    }

    /** What rows add up to for a ratio: logarithms of determinants with their slope, M(ρ) and its derivative. */
    double[] sums(double rho) {
        int d = columns + 1;
        double[] normal = within.clone();
        double[] change = new double[d * d];
        double[] sums = new double[numbers(columns)];
        for (Moments one : clusters) {
            double factor = 1 / (1 + rho * one.weight);
            addSquare(normal, factor / one.weight, one.sums);
            addSquare(change, -factor * factor, one.sums);
            sums[0] += Elementary.log1p(rho * one.weight);
            sums[1] += one.weight * factor;
        }
        sums[2] = rows;
        sums[3] = logWeights;
        int at = CONSTANTS;
        for (double[] matrix : List.of(normal, change)) {
            for (int a = 0; a < d; a++) {
                System.arraycopy(matrix, a * d, sums, at, a + 1);
                at += a + 1;
            }
        }
        return sums;
    }

    private At at(double rho) {
        return at(rho, sums(rho), columns, restricted);
    }

    /** The fit for a ratio at which rows add up to some {@link #sums}. */
    static At at(double rho, double[] sums, int columns, boolean restricted) {
        int d = columns + 1;
        double[] normal = Cholesky.symmetric(sums, CONSTANTS, d);
        double[] change = Cholesky.symmetric(sums, CONSTANTS + d * (d + 1) / 2, d);
        double determinant = sums[0];
        double slope = sums[1];
        Cholesky.factorise(normal, d);
        double[] factor = new double[columns * columns];
        for (int a = 0; a < columns; a++) {
            System.arraycopy(normal, a * d, factor, a * columns, columns);
        }
        double[] theta = Arrays.copyOfRange(normal, columns * d, columns * d + columns);
        for (int a = columns - 1; a >= 0; a--) {
            theta[a] /= factor[a * columns + a];
            for (int b = 0; b < a; b++) {
                theta[b] -= factor[a * columns + b] * theta[a];
            }
        }
        double rest = normal[d * d - 1] * normal[d * d - 1];
        double free = sums[2] - (restricted ? columns : 0);
        double[] inverse = Cholesky.inverseOfProduct(factor, columns);
        double[] residual = Arrays.copyOf(theta, d);
        residual[columns] = -1;
        slope += free * quadratic(change, residual) / rest;
        if (restricted) {
            for (int a = 0; a < columns; a++) {
                determinant += 2 * Elementary.log(factor[a * columns + a]);
                for (int b = 0; b < columns; b++) {
                    slope += inverse[a * columns + b] * change[a * d + b];
                }
            }
        }
        double criterion = free * (Elementary.log(2 * Math.PI * rest / free) + 1) + determinant - sums[3];
        return new At(rho, criterion, slope, theta, inverse, rest / free);
    }

    private static double quadratic(double[] matrix, double[] vector) {
        double sum = 0;
        for (int a = 0; a < vector.length; a++) {
            sum += vector[a] * Vectors.dot(matrix, a * vector.length, vector, 0, vector.length);
        }
        return sum;
    }

    /**
     * The best of the local optima between neighbouring ratios of a grid at which the criterion falls and rises; each
     * is found by halving, so the slopes beside it have different signs.
     */
    public At best() {
        At best = at(0);
        At last = best;
        for (int k = 0; k < FIRST_LOOKS; k++) {
            double root = LEAST * Elementary.exp(Elementary.log(MOST / LEAST) * k / (FIRST_LOOKS - 1));
            At next = at(root * root);
            if (last.slope < 0 && next.slope >= 0) {
                At found = between(last.rho, next.rho);
                best = found.criterion < best.criterion ? found : best;
            }
            last = next;
        }
        return best;
    }

    private At between(double from, double to) {
        double low = from;
        double high = to;
        for (double middle = (low + high) / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
            if (at(middle).slope < 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return at(high);
    }
}
