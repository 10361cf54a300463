package dev.starling.method.sums;

import dev.starling.method.Solution;
import dev.starling.node.Stateful;

/**
 * The decisions of a run, each a function of the totals so far. Every node makes them for itself, so that no node has
 * to trust instructions from another. The nodes of one process share this object across their threads, so that each
 * decision is made once per process.
 *
 * @param <D> the method's type of decision
 */
public interface Decisions<D extends Decision> extends Stateful {

    /** Returns the latest decision. */
    D latest();

    /** Returns the decision that follows from the totals of the sum that a decision asked for. */
    D after(D asked, double[] totals);

    /**
     * Makes the next sum the last one. To be called only if all nodes of the run are in this process and none of them
     * is waiting for the current sum.
     */
    D finish();

    /** Returns the best result so far. */
    Solution result();
}
