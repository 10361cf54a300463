package dev.starling.method.sums;

import dev.starling.node.ReleaseLimits;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/**
 * Counts what a run has released about rows so far, and compares it with the limits on what it may release in total.
 */
public final class Releases implements Stateful {

    private final ReleaseLimits limits;
    private long numbers;
    private int curvatures;
    private int diagonals;
    private int passes;

    /** Creates a count of no releases yet. */
    public Releases(ReleaseLimits limits) {
        this.limits = limits;
    }

    /**
     * Records the release of a sum.
     *
     * @param size how many numbers it has
     * @param curved whether it includes second derivatives
     */
    public void add(long size, boolean curved) {
        numbers += size;
        curvatures += curved ? 1 : 0;
        passes++;
    }

    /**
     * Records the release of a sum that includes the diagonal of a Hessian. A diagonal reveals so little of the Hessian
     * that the limit on gradients remains the one for runs without second derivatives.
     */
    public void addDiagonal(long size) {
        add(size, false);
        diagonals++;
    }

    /** Returns the number of sums so far. */
    public int passes() {
        return passes;
    }

    /** Returns the number of sums with second derivatives so far, not counting diagonals. */
    public int curvatures() {
        return curvatures;
    }

    /**
     * Returns whether a sum may be released.
     *
     * @param size how many numbers it has
     * @param curved whether it includes second derivatives
     * @param most the limit on all numbers released so far and with this sum
     * @param sums the number of sums, counting this one and those that must follow it
     */
    public boolean allow(long size, boolean curved, long most, long sums) {
        return numbers + size <= most
                && passes + sums <= (curved || curvatures > 0 ? limits.passes() : limits.gradients())
                && (!curved || curvatures + diagonals < limits.curvatures());
    }

    /** Like {@link #allow}, for a sum with the diagonal of a Hessian, which counts as a sum of second derivatives. */
    public boolean allowDiagonal(long size, long most, long sums) {
        return allow(size, false, most, sums) && curvatures + diagonals < limits.curvatures();
    }

    /** Returns whether a sum may be released and then others, one of which includes second derivatives. */
    public boolean allowWithCurvature(long size, boolean curved, long sizeOfOthers, long sums) {
        return numbers + size + sizeOfOthers <= limits.numbers()
                && passes + sums <= limits.passes()
                && curvatures + diagonals + (curved ? 1 : 0) < limits.curvatures();
    }

    @Override
    public void state(State s) throws IOException {
        numbers = s.number(numbers);
        curvatures = s.number(curvatures);
        diagonals = s.number(diagonals);
        passes = s.number(passes);
    }
}
