package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import dev.starling.loss.Loss;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Sums over all nodes of the slopes of the losses at the point where all weights are 0, and of the weights of the rows.
 * A free intercept, if there is one, has approximately its best value for such weights.
 *
 * @param nodes this node's collectives
 * @param problem this node's part of the problem
 */
record SlopesAtZero(Collectives nodes, Supplier<LocalProblem> problem) {

    /** The number of bisections that find an intercept. */
    private static final int HALVINGS = 60;

    /** An upper bound on the absolute value of an intercept in classification. */
    private static final double FARTHEST = 64;

    private int outputs() {
        return problem.get().loss().outputs();
    }

    /** The phase that sums Σ w y and Σ w, or Σ w for each of several classes at once, from which intercepts follow. */
    Phase<double[]> labels() {
        return nodes.sum(
                SumRequest.overAll(SumKind.COLUMNS, "labels", problem.get().samples(), Math.max(2, outputs())),
                () -> labels(problem.get()));
    }

    private static double[] labels(LocalProblem problem) {
        int outputs = problem.loss().outputs();
        double[] sums = new double[Math.max(2, outputs)];
        for (int j = 0; j < problem.samples(); j++) {
            double weight = problem.weight(j);
            if (outputs > 1) {
                sums[(int) problem.label(j)] += weight;
            } else {
                sums[0] += weight * problem.label(j);
                sums[1] += weight;
            }
        }
        return sums;
    }

    /** The best intercepts in classification; in regression that of the mean target, the best one for most families. */
    double[] intercepts(double[] totals) {
        return outputs() > 1 ? Arrays.stream(totals).map(Elementary::log).toArray() : new double[] {intercept(totals)};
    }

    private double intercept(double[] totals) {
        Loss loss = problem.get().loss();
        double mean = totals[0] / totals[1];
        if (!loss.isClassification()) {
            return requireFinite(loss.link().score(mean), mean);
        }
        double low = -FARTHEST;
        double high = FARTHEST;
        for (int k = 0; k < HALVINGS; k++) {
            double middle = (low + high) / 2;
            double slope = (1 + mean) * loss.derivative(middle, 1) + (1 - mean) * loss.derivative(middle, -1);
            low = slope > 0 ? low : middle;
            high = slope > 0 ? middle : high;
        }
        return (low + high) / 2;
    }

    private static double requireFinite(double score, double mean) {
        if (!Double.isFinite(score)) {
            throw new InvalidInputException(
                    "the mean label is " + mean + ", for which there is no intercept; give rows with other labels");
        }
        return score;
    }

    /**
     * The phase that sums the slopes, which are a gradient like any other, and Σ w; without intercepts, those are 0.
     */
    Phase<double[]> slopes(double... intercepts) {
        int outputs = outputs();
        int features = problem.get().features();
        double[] point = new double[outputs * features];
        for (int k = 0; k < intercepts.length; k++) {
            point[(k + 1) * features - 1] = intercepts[k];
        }
        return nodes.sum(
                SumRequest.atPoint(
                        SumKind.GRADIENT,
                        nodes.problem(),
                        1,
                        point,
                        problem.get().samples(),
                        point.length + 1),
                () -> outputs > 1
                        ? slopesOfOutputs(problem.get(), Arrays.copyOf(intercepts, outputs))
                        : slopes(problem.get(), intercepts.length > 0 ? intercepts[0] : 0));
    }

    private static double[] slopesOfOutputs(LocalProblem problem, double... margins) {
        int outputs = margins.length;
        double[] sums = new double[outputs * problem.features() + 1];
        double[] slopes = new double[outputs];
        double[] curvatures = new double[outputs * (outputs + 1) / 2];
        for (int j = 0; j < problem.samples(); j++) {
            problem.loss().bend(margins, problem.label(j), slopes, curvatures);
            for (int k = 0; k < outputs; k++) {
                problem.data().addTo(problem.row(j), problem.weight(j) * slopes[k], sums, k * problem.features());
            }
            sums[sums.length - 1] += problem.weight(j);
        }
        return sums;
    }

    private static double[] slopes(LocalProblem problem, double intercept) {
        double[] sums = new double[problem.features() + 1];
        for (int j = 0; j < problem.samples(); j++) {
            double weight = problem.weight(j);
            int row = problem.row(j);
            double slope = problem.loss().derivative(intercept + problem.data().offset(row), problem.label(j));
            problem.data().addTo(row, weight * slope, sums);
            sums[problem.features()] += weight;
        }
        return sums;
    }

    /** The steepest slope of the mean loss along any of the features that are regularised. */
    double steepest(double[] totals) {
        int last = totals.length - 1;
        int features = problem.get().features();
        double steepest = 0;
        for (int c = 0; c < last; c++) {
            boolean free = problem.get().hasIntercept() && (c + 1) % features == 0;
            steepest = free ? steepest : Math.max(steepest, Math.abs(totals[c]) / totals[last]);
        }
        return steepest;
    }
}
