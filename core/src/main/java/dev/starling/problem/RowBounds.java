package dev.starling.problem;

import dev.starling.cores.Loops;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Upper bounds that hold for every row of a node.
 *
 * @param length a bound on ‖x‖
 * @param stored the largest number of stored values of a row
 * @param label a bound on {@link dev.starling.loss.Loss#labelSize} plus the absolute value of the shift
 */
public record RowBounds(double length, int stored, double label) {

    private static final RowBounds NONE = new RowBounds(0, 0, 0);

    /** Computes the bounds of a node's rows. */
    public static RowBounds of(LocalProblem problem) {
        Queue<RowBounds> parts = new ConcurrentLinkedQueue<>();
        Loops.overRows(
                problem.samples(),
                Loops.rows(problem.valuesPerRow()),
                (from, to) -> parts.add(largest(problem, from, to)));
        RowBounds all = parts.stream().reduce(NONE, RowBounds::or);
        double length = problem.data().largest() * Math.sqrt(all.stored) * (1 + 0x1p-20);
        return new RowBounds(length, all.stored, all.label);
    }

    private RowBounds or(RowBounds other) {
        return new RowBounds(
                Math.max(length, other.length), Math.max(stored, other.stored), Math.max(label, other.label));
    }

    /** The most stored values and the largest label of some rows. */
    private static RowBounds largest(LocalProblem problem, int from, int to) {
        int stored = 0;
        double label = 0;
        for (int j = from; j < to; j++) {
            int row = problem.row(j);
            stored = Math.max(stored, problem.data().end(row) - problem.data().start(row));
            label = Math.max(
                    label,
                    problem.loss().labelSize(problem.data().label(row))
                            + Math.abs(problem.data().offset(row)));
        }
        return new RowBounds(0, stored, label);
    }
}
