package dev.starling.lab.comparison;

import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.List;

/**
 * How far the estimates of some nodes are from the optimum.
 *
 * @param suboptimality (P(θ) − P*)/P* on average
 * @param worst the same at the worst node
 * @param gradient the largest ‖∇P(θ)‖; NaN if it was not requested
 */
record Errors(double suboptimality, double worst, double gradient) {

    /** Computes the errors; a diverged estimate has an infinite error. */
    static Errors of(Problem problem, Optimum optimum, List<double[]> estimates, boolean withGradient) {
        double sum = 0;
        double worst = 0;
        double steepest = withGradient ? 0 : Double.NaN;
        double[] previous = {};
        double value = 0;
        for (double[] theta : estimates) {
            // A method on one machine has the same estimate for all nodes.
            if (!Arrays.equals(theta, previous)) {
                value = relative(problem.objective(theta), optimum);
                steepest = withGradient ? Math.max(steepest, gradientNorm(problem, theta)) : steepest;
            }
            previous = theta;
            sum += value;
            worst = Math.max(worst, value);
        }
        return new Errors(sum / estimates.size(), worst, steepest);
    }

    private static double relative(double objective, Optimum optimum) {
        double relative = (objective - optimum.objective()) / optimum.scale();
        return Double.isNaN(relative) ? Double.POSITIVE_INFINITY : Math.max(relative, optimum.gap());
    }

    /** ‖(Σ_i Σ_j w_ij ℓ'(x_ijᵀθ) x_ij + σθ)/Σw‖, σ the sum over the nodes; the regulariser is ‖θ‖²/2. */
    private static double gradientNorm(Problem problem, double[] theta) {
        List<double[]> sums = problem.nodes().parallelStream()
                .map(node -> lossGradient(node, 1, theta))
                .toList();
        double square = 0;
        for (int c = 0; c < theta.length; c++) {
            double entry = problem.totalSigma() * theta[c];
            for (double[] sum : sums) {
                entry += sum[c];
            }
            square += entry * entry;
        }
        double norm = Math.sqrt(square) / problem.totalWeight();
        return Double.isNaN(norm) ? Double.POSITIVE_INFINITY : norm;
    }

    /** The gradient of a multiple of the sum of a node's losses. */
    static double[] lossGradient(LocalProblem node, double multiple, double... theta) {
        double[] sum = new double[theta.length];
        for (int j = 0; j < node.samples(); j++) {
            double slope = node.weight(j) * node.loss().derivative(node.margin(j, theta), node.label(j));
            node.data().addTo(node.row(j), multiple * slope, sum);
        }
        return sum;
    }
}
