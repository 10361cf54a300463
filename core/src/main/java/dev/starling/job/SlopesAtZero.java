package dev.starling.job;

import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;

/** The slopes of the losses of all rows at θ = 0, and their weight, as nodes add them up. */
final class SlopesAtZero {

    private SlopesAtZero() {}

    /** What is asked of a node: a gradient like any other. */
    static SumRequest request(int problem, int features, int rows) {
        return new SumRequest("gradient", problem, 1, new double[features], rows, features + 1);
    }

    /** A node's addend. */
    static double[] of(LocalProblem problem) {
        double[] sums = new double[problem.features() + 1];
        for (int j = 0; j < problem.samples(); j++) {
            double weight = problem.weight(j);
            problem.data().addTo(problem.row(j), weight * problem.loss().derivative(0, problem.label(j)), sums);
            sums[problem.features()] += weight;
        }
        return sums;
    }

    /** The steepest slope of the mean loss along any feature. */
    static double steepest(double[] totals) {
        int features = totals.length - 1;
        double steepest = 0;
        for (int c = 0; c < features; c++) {
            steepest = Math.max(steepest, Math.abs(totals[c]) / totals[features]);
        }
        return steepest;
    }
}
