package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
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

    /** The phase that sums Σ w y and Σ w, from which the intercept follows. */
    Phase<double[]> labels() {
        return nodes.sum(
                SumRequest.overAll(SumKind.COLUMNS, "labels", problem.get().samples(), 2), () -> labels(problem.get()));
    }

    private static double[] labels(LocalProblem problem) {
        double[] sums = new double[2];
        for (int j = 0; j < problem.samples(); j++) {
            double weight = problem.weight(j);
            sums[0] += weight * problem.label(j);
            sums[1] += weight;
        }
        return sums;
    }

    /** The best intercept in classification; in regression that of the mean target, the best one for most families. */
    double intercept(double[] totals) {
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

    /** The phase that sums the slopes, which are a gradient like any other, and Σ w. */
    Phase<double[]> slopes(double intercept) {
        int outputs = problem.get().loss().outputs();
        if (outputs > 1) {
            return slopesOfOutputs(outputs);
        }
        int features = problem.get().features();
        double[] point = new double[features];
        point[features - 1] = intercept;
        return nodes.sum(
                SumRequest.atPoint(
                        SumKind.GRADIENT,
                        nodes.problem(),
                        1,
                        point,
                        problem.get().samples(),
                        features + 1),
                () -> slopes(problem.get(), intercept));
    }

    private Phase<double[]> slopesOfOutputs(int outputs) {
        int parameters = outputs * problem.get().features();
        return nodes.sum(
                SumRequest.atPoint(
                        SumKind.GRADIENT,
                        nodes.problem(),
                        1,
                        new double[parameters],
                        problem.get().samples(),
                        parameters + 1),
                () -> slopesOfOutputs(problem.get(), outputs));
    }

    private static double[] slopesOfOutputs(LocalProblem problem, int outputs) {
        double[] sums = new double[outputs * problem.features() + 1];
        double[] slopes = new double[outputs];
        double[] curvatures = new double[outputs * (outputs + 1) / 2];
        for (int j = 0; j < problem.samples(); j++) {
            problem.loss().bend(new double[outputs], problem.label(j), slopes, curvatures);
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
        int features = totals.length - 1;
        double steepest = 0;
        for (int c = 0; c < (problem.get().hasIntercept() ? features - 1 : features); c++) {
            steepest = Math.max(steepest, Math.abs(totals[c]) / totals[features]);
        }
        return steepest;
    }
}
