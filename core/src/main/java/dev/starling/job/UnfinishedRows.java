package dev.starling.job;

import dev.starling.data.Dataset;

/**
 * Rows that a node can finish only when all nodes have added up some numbers about theirs, in a few rounds: what stands
 * in for a missing value, say. Until then the node goes by provisional ones, with the same shape, labels, weights and
 * keys, which depend on nobody else's.
 */
public interface UnfinishedRows {

    /** What the sums are called. */
    String KIND = "fills";

    /** How many numbers the present round adds up; 0 once the rows can be finished. */
    int numbers();

    /** This node's numbers in the present round. */
    double[] addend();

    /** Takes the totals of the present round. */
    void told(double[] totals);

    /**
     * The finished rows, the same ones whenever they are asked for.
     *
     * @throws dev.starling.data.InvalidInputException if they cannot be finished like this
     */
    Dataset rows();
}
