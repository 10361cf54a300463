package dev.starling.method.sums;

import dev.starling.node.ReleaseLimits;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What a run has told about rows so far, beside what it may tell in all. */
public final class Releases {

    private final ReleaseLimits limits;
    private long numbers;
    private int curvatures;
    private int diagonals;
    private int passes;

    /** Nothing told yet. */
    public Releases(ReleaseLimits limits) {
        this.limits = limits;
    }

    /** Takes down a sum of so many numbers. */
    public void add(long told, boolean curved) {
        numbers += told;
        curvatures += curved ? 1 : 0;
        passes++;
    }

    /**
     * Takes down a sum of so many numbers among which is the diagonal of a Hessian, which is so little of one that the
     * gradients after it may be as many as without.
     */
    public void addDiagonal(long told) {
        add(told, false);
        diagonals++;
    }

    /** Sums so far. */
    public int passes() {
        return passes;
    }

    /** Sums of second derivatives so far, but for diagonals. */
    public int curvatures() {
        return curvatures;
    }

    /**
     * Whether a sum may be told.
     *
     * @param told how many numbers it has
     * @param curved whether it is of second derivatives
     * @param most numbers that may have been told with it
     * @param sums how many it and those that must follow it are
     */
    public boolean allow(long told, boolean curved, long most, long sums) {
        return numbers + told <= most
                && passes + sums <= (curved || curvatures > 0 ? limits.passes() : limits.gradients())
                && (!curved || curvatures + diagonals < limits.curvatures());
    }

    /** The same of a sum that has the diagonal of a Hessian, which counts among those of second derivatives. */
    public boolean allowDiagonal(long told, long most, long sums) {
        return allow(told, false, most, sums) && curvatures + diagonals < limits.curvatures();
    }

    /** Whether a sum may be told, and after it others, of which one is of second derivatives. */
    public boolean allowWithCurvature(long told, boolean curved, long othersTold, long sums) {
        return numbers + told + othersTold <= limits.numbers()
                && passes + sums <= limits.passes()
                && curvatures + diagonals + (curved ? 1 : 0) < limits.curvatures();
    }

    /** Writes what was told. */
    public void save(DataOutput out) throws IOException {
        out.writeLong(numbers);
        out.writeInt(curvatures);
        out.writeInt(diagonals);
        out.writeInt(passes);
    }

    /** Takes up what {@link #save} wrote. */
    public void restore(DataInput in) throws IOException {
        numbers = in.readLong();
        curvatures = in.readInt();
        diagonals = in.readInt();
        passes = in.readInt();
    }
}
