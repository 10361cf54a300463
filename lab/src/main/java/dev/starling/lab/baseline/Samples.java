package dev.starling.lab.baseline;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;
import java.util.List;

/**
 * The samples of one or several nodes, copied to contiguous memory: batch methods sweep over all of them again and
 * again, and a node's rows are far apart in the dataset they were taken from.
 */
final class Samples {

    private final int features;
    private final boolean dense;
    private final Loss loss;
    private final int[] starts;
    private final int[] columns;
    private final double[] values;
    private final double[] labels;
    private final double[] weights;

    private Samples(List<LocalProblem> problems) {
        LocalProblem first = problems.get(0);
        features = first.features();
        dense = problems.stream().allMatch(problem -> problem.data().isDense());
        loss = first.loss();
        int count = 0;
        long stored = 0;
        for (LocalProblem problem : problems) {
            count += problem.samples();
            for (int j = 0; j < problem.samples(); j++) {
                stored += length(problem, j);
            }
        }
        starts = new int[count + 1];
        values = new double[Math.toIntExact(stored)];
        columns = new int[dense ? 0 : values.length];
        labels = new double[count];
        weights = new double[count];
        copy(problems);
    }

    static Samples of(LocalProblem problem) {
        return new Samples(List.of(problem));
    }

    static Samples of(List<LocalProblem> problems) {
        return new Samples(problems);
    }

    private static int length(LocalProblem problem, int sample) {
        int row = problem.row(sample);
        return problem.data().end(row) - problem.data().start(row);
    }

    private void copy(List<LocalProblem> problems) {
        int k = 0;
        for (LocalProblem problem : problems) {
            Dataset data = problem.data();
            for (int j = 0; j < problem.samples(); j++, k++) {
                int from = data.start(problem.row(j));
                int length = length(problem, j);
                data.values().copyTo(from, values, starts[k], length);
                if (!dense) {
                    copyColumns(data, from, starts[k], length);
                }
                starts[k + 1] = starts[k] + length;
                labels[k] = problem.label(j);
                weights[k] = problem.weight(j);
            }
        }
    }

    private void copyColumns(Dataset data, int from, int to, int length) {
        if (!data.isDense()) {
            System.arraycopy(data.columns(), from, columns, to, length);
            return;
        }
        for (int c = 0; c < length; c++) {
            columns[to + c] = c;
        }
    }

    int count() {
        return labels.length;
    }

    int features() {
        return features;
    }

    Loss loss() {
        return loss;
    }

    double label(int sample) {
        return labels[sample];
    }

    double weight(int sample) {
        return weights[sample];
    }

    /** xᵀv, in a fixed order of summation. */
    double dot(int sample, double[] v) {
        return dense ? denseDot(starts[sample], v) : sparseDot(starts[sample], starts[sample + 1], v);
    }

    /** Four partial sums, so that additions need not wait for each other. */
    private double denseDot(int start, double[] v) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int k = 0;
        for (; k + 3 < features; k += 4) {
            a += values[start + k] * v[k];
            b += values[start + k + 1] * v[k + 1];
            c += values[start + k + 2] * v[k + 2];
            d += values[start + k + 3] * v[k + 3];
        }
        for (; k < features; k++) {
            a += values[start + k] * v[k];
        }
        return (a + b) + (c + d);
    }

    private double sparseDot(int start, int end, double[] v) {
        double sum = 0;
        for (int k = start; k < end; k++) {
            sum += values[k] * v[columns[k]];
        }
        return sum;
    }

    /** v += scale · x. */
    void add(int sample, double scale, double[] v) {
        int start = starts[sample];
        if (dense) {
            for (int k = 0; k < features; k++) {
                v[k] += scale * values[start + k];
            }
        } else {
            for (int k = start; k < starts[sample + 1]; k++) {
                v[columns[k]] += scale * values[k];
            }
        }
    }

    /** matrix += scale · x xᵀ in its lower half; row r of the matrix starts at r·d. */
    void addOuter(int sample, double scale, double[] matrix) {
        int start = starts[sample];
        int length = starts[sample + 1] - start;
        for (int a = 0; a < length; a++) {
            double scaled = scale * values[start + a];
            int row = features * (dense ? a : columns[start + a]);
            if (dense) {
                for (int b = 0; b <= a; b++) {
                    matrix[row + b] += scaled * values[start + b];
                }
            } else {
                for (int b = 0; b <= a; b++) {
                    matrix[row + columns[start + b]] += scaled * values[start + b];
                }
            }
        }
    }

    /** diagonal += scale · x², entry by entry. */
    void addSquares(int sample, double scale, double[] diagonal) {
        int start = starts[sample];
        for (int k = start; k < starts[sample + 1]; k++) {
            double value = values[k];
            diagonal[dense ? k - start : columns[k]] += scale * value * value;
        }
    }

    /** ‖x‖². */
    double squaredNorm(int sample) {
        double sum = 0;
        for (int k = starts[sample]; k < starts[sample + 1]; k++) {
            double value = values[k];
            sum += value * value;
        }
        return sum;
    }

    /** w ℓ'(u; y), the derivative of the weighted loss. */
    double slope(int sample, double margin) {
        return weights[sample] * loss.derivative(margin, labels[sample]);
    }

    /** w ℓ''(u; y). */
    double curvature(int sample, double margin) {
        return weights[sample] * loss.curvature(margin, labels[sample]);
    }

    /** L = w β‖x‖², the smoothness of the sample's loss as a function of θ. */
    double smoothness(int sample) {
        return weights[sample] * loss.smoothness() * squaredNorm(sample);
    }

    /** max_j L_j. */
    double largestSmoothness() {
        double largest = 0;
        for (int j = 0; j < count(); j++) {
            largest = Math.max(largest, smoothness(j));
        }
        return largest;
    }

    /** Writes Σ_j w_j ℓ'(x_jᵀθ) x_j + σθ and returns Σ_j |w_j ℓ'|, from which the rounding error can be estimated. */
    double gradient(double[] theta, double sigma, double[] gradient) {
        for (int c = 0; c < features; c++) {
            gradient[c] = sigma * theta[c];
        }
        double size = 0;
        for (int j = 0; j < count(); j++) {
            double slope = slope(j, dot(j, theta));
            size += Math.abs(slope);
            if (slope != 0) {
                add(j, slope, gradient);
            }
        }
        return size;
    }
}
