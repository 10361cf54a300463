package dev.starling.method.newton;

import dev.starling.node.State;
import dev.starling.objective.PassLayout;
import java.io.IOException;
import java.util.Arrays;

/**
 * A working set of the columns where one node has all rows: the node minimises the objective in these columns
 * ({@link ColumnDescent}), without Hessians, and the next pass proves the result or names the columns that should join.
 */
final class ColumnNewton extends WorkingSetNewton {

    /** The first set ends at this part of the gap asked for, so that other columns may add to it. */
    private static final double FIRST_PART = 0.5;

    private final ColumnDescent descent;
    private final double target;

    private double part = FIRST_PART;
    private double work;
    private int idle;

    /**
     * Creates the method at its start.
     *
     * @param l1 λ₁
     * @param target the requested relative gap
     */
    ColumnNewton(PassLayout layout, double lambda, double l1, double target, ColumnDescent descent) {
        super(layout, lambda, l1, false);
        this.descent = descent;
        this.target = target;
    }

    @Override
    void advance() {
        settle();
        int[] columns = candidates(gradient, Integer.MAX_VALUE);
        work = descent.improve(theta, columns, part * target * objective());
        part /= descent.isDone() ? 2 : 1;
        idle = Arrays.equals(theta, origin) ? idle + 1 : 0;
    }

    @Override
    double work() {
        return work;
    }

    /** A second pass at the same point may bound rounding better; a third one proves no more. */
    @Override
    boolean isSpent() {
        return idle > 1;
    }

    @Override
    public void state(State s) throws IOException {
        super.state(s);
        part = s.number(part);
        work = s.number(work);
        idle = s.number(idle);
    }
}
