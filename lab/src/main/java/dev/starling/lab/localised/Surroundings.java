package dev.starling.lab.localised;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;

/**
 * What a node's losses look like around a point θ₀ that all nodes know. Each loss is replaced by one that equals it for
 * margins within a radius r of x_jᵀθ₀ and continues as a parabola outside, so that its curvature lies in known bounds
 * [a_j, b_j]. The part a_j(xᵀθ)²/2 moves from the sample to the node's own term, whose curvature becomes Q = σI + Σ_j
 * a_j x xᵀ; what is left of the sample has a curvature of at most L_j = b_j − a_j.
 *
 * <p>Only every so many samples give curvature to Q, since each costs the square of its values; the others have a_j =
 * 0, which is allowed. An infinite radius leaves the losses as they are: then a_j = 0 and b_j = β.
 */
final class Surroundings {

    private final LocalProblem problem;
    private final Loss loss;
    private final double radius;

    /** x_jᵀθ₀. */
    private final double[] margins;

    /** a_j. */
    private final double[] moved;

    /** L_j. */
    private final double[] left;

    /** @param stride one sample out of so many gives curvature to Q */
    Surroundings(LocalProblem problem, double[] centre, double radius, int stride) {
        this.problem = problem;
        this.loss = problem.loss();
        this.radius = radius;
        int samples = problem.samples();
        this.margins = new double[samples];
        this.moved = new double[samples];
        this.left = new double[samples];
        boolean everywhere = radius == Double.POSITIVE_INFINITY;
        for (int j = 0; j < samples; j++) {
            double margin = problem.margin(j, centre);
            double weight = problem.weight(j);
            double label = problem.label(j);
            margins[j] = margin;
            boolean moves = !everywhere && j % stride == 0;
            moved[j] = moves ? weight * loss.leastCurvature(margin - radius, margin + radius, label) : 0;
            double most = weight
                    * (everywhere ? loss.smoothness() : loss.mostCurvature(margin - radius, margin + radius, label));
            left[j] = Math.max(0, most - moved[j]);
        }
    }

    double moved(int sample) {
        return moved[sample];
    }

    double left(int sample) {
        return left[sample];
    }

    /** w ℓ'(x_jᵀθ₀). */
    double slope(int sample) {
        return problem.weight(sample) * loss.derivative(margins[sample], problem.label(sample));
    }

    /** The slope of what is left of a sample at θ₀, where all nodes start: w ℓ' − a_j x_jᵀθ₀. */
    double start(int sample) {
        return slope(sample) - moved[sample] * margins[sample];
    }

    /** x_jᵀθ₀. */
    double margin(int sample) {
        return margins[sample];
    }

    /**
     * The margin m at which m + step·f'(m) = point, where f is what is left of the sample's loss: f'(m) = (point −
     * m)/step. The left-hand side grows at least as fast as m, so the root is no further away than the residual.
     *
     * @param start an initial guess
     */
    double proximalMargin(int sample, double point, double step, double start) {
        double label = problem.label(sample);
        double weight = problem.weight(sample);
        double lowest = margins[sample] - radius;
        double highest = margins[sample] + radius;
        double below = Double.NEGATIVE_INFINITY;
        double above = Double.POSITIVE_INFINITY;
        double m = start;
        for (int k = 0; k < MOST_ITERATIONS; k++) {
            double inside = Math.min(Math.max(m, lowest), highest);
            double curvature = weight * loss.curvature(inside, label);
            double slope = weight * loss.derivative(inside, label) + curvature * (m - inside) - moved[sample] * m;
            double residual = Math.fma(step, slope, m) - point;
            if (residual > 0) {
                above = Math.min(above, m);
                below = Math.max(below, m - residual);
            } else {
                below = Math.max(below, m);
                above = Math.min(above, m - residual);
            }
            double growth = Math.max(1, Math.fma(step, curvature - moved[sample], 1));
            double next = m - residual / growth;
            next = next > below && next < above ? next : (below + above) / 2;
            if (!(Math.abs(next - m) > ENOUGH * (1 + Math.abs(m)))) {
                return next;
            }
            m = next;
        }
        return m;
    }

    private static final int MOST_ITERATIONS = 100;
    private static final double ENOUGH = 0x1p-48;

    /** The slope of what is left of a sample's loss. */
    double slopeLeft(int sample, double margin) {
        double label = problem.label(sample);
        double inside = Math.min(Math.max(margin, margins[sample] - radius), margins[sample] + radius);
        return problem.weight(sample)
                        * (loss.derivative(inside, label) + loss.curvature(inside, label) * (margin - inside))
                - moved[sample] * margin;
    }

    /** Writes Σ_j w ℓ' x_j followed by the lower triangle, row by row, of Σ_j a_j x xᵀ. */
    void sums(double[] into, int first) {
        int d = problem.features();
        double[] gradient = new double[d];
        double[] matrix = new double[d * d];
        for (int j = 0; j < margins.length; j++) {
            problem.data().addTo(problem.row(j), slope(j), gradient);
            if (moved[j] > 0) {
                addOuter(j, moved[j], matrix);
            }
        }
        System.arraycopy(gradient, 0, into, first, d);
        for (int row = 0, at = first + d; row < d; at += ++row) {
            System.arraycopy(matrix, row * d, into, at, row + 1);
        }
    }

    /** The lower half of Σ_j L_j x xᵀ. */
    double[] leftMatrix() {
        double[] matrix = new double[problem.features() * problem.features()];
        for (int j = 0; j < margins.length; j++) {
            if (left[j] > 0) {
                addOuter(j, left[j], matrix);
            }
        }
        return matrix;
    }

    /** The lower half of Q. */
    double[] ownMatrix() {
        int d = problem.features();
        double[] matrix = new double[d * d];
        for (int j = 0; j < margins.length; j++) {
            if (moved[j] > 0) {
                addOuter(j, moved[j], matrix);
            }
        }
        for (int c = 0; c < d; c++) {
            matrix[c * d + c] += problem.sigma();
        }
        return matrix;
    }

    private void addOuter(int sample, double scale, double[] matrix) {
        Dataset data = problem.data();
        int row = problem.row(sample);
        int start = data.start(row);
        for (int a = start; a < data.end(row); a++) {
            double scaled = scale * data.value(row, a);
            int line = problem.features() * data.column(row, a);
            for (int b = start; b <= a; b++) {
                matrix[line + data.column(row, b)] += scaled * data.value(row, b);
            }
        }
    }
}
