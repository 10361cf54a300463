package dev.starling.lab.baseline.node;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;
import java.util.List;

/** The samples of one or several nodes, numbered through. */
public final class Samples {

    private final int features;
    private final Loss loss;
    private final Dataset[] sources;
    private final int[] rows;

    private Samples(List<LocalProblem> problems) {
        features = problems.get(0).features();
        loss = problems.get(0).loss();
        int count = problems.stream().mapToInt(LocalProblem::samples).sum();
        sources = new Dataset[count];
        rows = new int[count];
        int k = 0;
        for (LocalProblem problem : problems) {
            for (int j = 0; j < problem.samples(); j++, k++) {
                sources[k] = problem.data();
                rows[k] = problem.row(j);
            }
        }
    }

    public static Samples of(LocalProblem problem) {
        return new Samples(List.of(problem));
    }

    public static Samples of(List<LocalProblem> problems) {
        return new Samples(problems);
    }

    public int count() {
        return rows.length;
    }

    public int features() {
        return features;
    }

    public Loss loss() {
        return loss;
    }

    public double label(int sample) {
        return sources[sample].label(rows[sample]);
    }

    public double weight(int sample) {
        return sources[sample].weight(rows[sample]);
    }

    /** xᵀv, in a fixed order of summation. */
    public double dot(int sample, double[] v) {
        return sources[sample].dot(rows[sample], v);
    }

    /** v += scale · x. */
    public void add(int sample, double scale, double[] v) {
        sources[sample].addTo(rows[sample], scale, v);
    }

    /** matrix += scale · x xᵀ in its lower half; row r of the matrix starts at r·d. */
    public void addOuter(int sample, double scale, double[] matrix) {
        Dataset data = sources[sample];
        int row = rows[sample];
        int start = data.start(row);
        for (int a = start; a < data.end(row); a++) {
            double scaled = scale * data.value(row, a);
            int line = features * data.column(row, a);
            for (int b = start; b <= a; b++) {
                matrix[line + data.column(row, b)] += scaled * data.value(row, b);
            }
        }
    }

    /** diagonal += scale · x², entry by entry. */
    public void addSquares(int sample, double scale, double[] diagonal) {
        Dataset data = sources[sample];
        for (int k = data.start(rows[sample]); k < data.end(rows[sample]); k++) {
            double value = data.value(rows[sample], k);
            diagonal[data.column(rows[sample], k)] += scale * value * value;
        }
    }

    /** ‖x‖². */
    public double squaredNorm(int sample) {
        return sources[sample].squaredNorm(rows[sample]);
    }

    /** w ℓ'(u; y), the derivative of the weighted loss. */
    public double slope(int sample, double margin) {
        return weight(sample) * loss.derivative(margin, label(sample));
    }

    /** w ℓ''(u; y). */
    public double curvature(int sample, double margin) {
        return weight(sample) * loss.curvature(margin, label(sample));
    }

    /** L = w β‖x‖², the smoothness of the sample's loss as a function of θ. */
    public double smoothness(int sample) {
        return weight(sample) * loss.smoothness() * squaredNorm(sample);
    }

    /** max_j L_j. */
    public double largestSmoothness() {
        double largest = 0;
        for (int j = 0; j < count(); j++) {
            largest = Math.max(largest, smoothness(j));
        }
        return largest;
    }

    /** Writes Σ_j w_j ℓ'(x_jᵀθ) x_j + σθ and returns Σ_j |w_j ℓ'|, from which the rounding error can be estimated. */
    public double gradient(double[] theta, double sigma, double[] gradient) {
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
