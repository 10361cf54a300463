package dev.starling.problem;

import dev.starling.data.Values;

/**
 * Upper bounds that hold for every row of a node.
 *
 * @param length a bound on ‖x‖
 * @param stored the largest number of stored values of a row
 * @param label a bound on {@link dev.starling.loss.Loss#labelSize} plus the absolute value of the shift
 */
public record RowBounds(double length, int stored, double label) {

    /** Computes the bounds of a node's rows. */
    public static RowBounds of(LocalProblem problem) {
        Values values = problem.data().values();
        double largest = 0;
        int stored = 0;
        double label = 0;
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            int start = problem.data().start(row);
            int end = problem.data().end(row);
            largest = values.largest(start, end, largest);
            stored = Math.max(stored, end - start);
            label = Math.max(
                    label,
                    problem.loss().labelSize(problem.data().label(row))
                            + Math.abs(problem.data().offset(row)));
        }
        double longest = largest * Math.sqrt(stored);
        return new RowBounds(longest * (1 + 0x1p-20), stored, label);
    }
}
