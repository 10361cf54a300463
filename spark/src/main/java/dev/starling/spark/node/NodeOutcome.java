package dev.starling.spark.node;

import dev.starling.evaluation.tally.PartialEvaluation;
import dev.starling.spark.rows.RowStretch;
import java.io.Serializable;
import java.util.ArrayList;

/**
 * What a task reports to the driver at its end. It is sent as bytes, since Spark may be configured to use a serialiser
 * that does not support records.
 */
public sealed interface NodeOutcome extends Serializable {

    /** Why there is no result; all nodes report the same. */
    record Objection(String text) implements NodeOutcome {}

    /**
     * What training took at one node, and what only this node knows about its rows.
     *
     * @param seconds the time from the first step to the last
     * @param stretches the fingerprints of the rows that it read
     * @param heldOut how well the model predicts its held-out rows; empty if it has none
     * @param heldKeys the sum of the keys of its held-out rows
     */
    record Spent(
            int node,
            long rounds,
            long bytes,
            double seconds,
            ArrayList<RowStretch> stretches,
            ArrayList<PartialEvaluation> heldOut,
            long heldKeys)
            implements NodeOutcome {}

    /**
     * The result, which only the first node reports, since it is the same at all nodes.
     *
     * @param model the model file, which lacks only what {@link Spent} says about the rows of each node
     * @param passes the number of passes over the data, for all problems together
     * @param updates the number of visits to rows at all nodes together
     * @param rows the number of rows of all nodes
     * @param checkpoints the name of the run's checkpoints; empty if there are none
     * @param attempt how many attempts at the stage failed before this one
     * @param facts what was known about all rows before training
     */
    record Trained(
            String model, double passes, long updates, long rows, String checkpoints, int attempt, double... facts)
            implements NodeOutcome {}
}
