package dev.starling.method.sums;

import dev.starling.method.Solution;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The decisions of a run, each a function of the totals so far. Every node takes them for itself, so that there are no
 * orders to believe; nodes of one process share this object, on their threads, so that each is taken once there.
 *
 * @param <D> what a decision of the method is
 */
public interface Decisions<D extends Decision> {

    /** The latest decision. */
    D latest();

    /** The decision that follows from the totals of the sum that a decision asked for. */
    D after(D asked, double[] totals);

    /** Makes the next sum the last; all nodes of the run are in this process, and none waits for the present one. */
    D finish();

    /** What is known so far. */
    Solution result();

    /** Writes where the run stands. */
    void save(DataOutput out) throws IOException;

    /** Takes up what {@link #save} wrote. */
    void restore(DataInput in) throws IOException;
}
