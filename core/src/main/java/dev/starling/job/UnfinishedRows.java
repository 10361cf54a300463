package dev.starling.job;

import dev.starling.data.Dataset;

/**
 * Rows that a node can finish only after all nodes have added up some numbers about their rows, in a few rounds, for
 * example to fill in missing values. Until then, the node uses provisional rows with the same shape, labels, weights
 * and keys, which do not depend on other nodes.
 */
public interface UnfinishedRows {

    /** The kind of the sums. */
    String KIND = "fills";

    /** How many numbers the current round adds up; 0 once the rows can be finished. */
    int numbers();

    /** This node's addend in the current round. */
    double[] addend();

    /** Receives the totals of the current round. */
    void told(double[] totals);

    /**
     * The finished rows; every call returns the same ones.
     *
     * @throws dev.starling.data.InvalidInputException if the rows cannot be finished
     */
    Dataset rows();
}
