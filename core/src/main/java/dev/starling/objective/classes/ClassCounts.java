package dev.starling.objective.classes;

import dev.starling.loss.Elementary;
import dev.starling.objective.Family;
import dev.starling.problem.LocalProblem;

/**
 * How many rows there are, and what those of each class weigh: what a model of classes without features follows from.
 */
final class ClassCounts {

    private ClassCounts() {}

    static int numbers(int classes) {
        return 1 + classes;
    }

    static double[] of(LocalProblem problem, int classes) {
        double[] counts = new double[numbers(classes)];
        for (int j = 0; j < problem.samples(); j++) {
            counts[0] += problem.weight(j) > 0 ? 1 : 0;
            counts[1 + (int) problem.label(j)] += problem.weight(j);
        }
        return counts;
    }

    /** Every row has the probabilities that the weights of the classes say. */
    static Family.NullModel nullModel(double[] totals, double unit) {
        double weight = 0;
        for (int k = 1; k < totals.length; k++) {
            weight += totals[k];
        }
        double value = 0;
        for (int k = 1; k < totals.length; k++) {
            value += totals[k] > 0 ? totals[k] * Elementary.log(weight / totals[k]) : 0;
        }
        return new Family.NullModel(totals[0], totals[0], unit * value, 0);
    }
}
