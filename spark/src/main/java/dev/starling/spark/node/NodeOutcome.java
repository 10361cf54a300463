package dev.starling.spark.node;

import dev.starling.spark.rows.Serialized;
import java.io.Serializable;

/**
 * What a task reports to the driver at its end. It is sent as bytes, since Spark may be configured to use a serialiser
 * that does not support records.
 */
public sealed interface NodeOutcome extends Serializable {

    /** Why there is no result; all nodes report the same. */
    record Objection(String text) implements NodeOutcome {}

    /**
     * What training took at one node.
     *
     * @param seconds the time from the first step to the last
     */
    record Spent(long rounds, long bytes, double seconds) implements NodeOutcome {}

    /**
     * The result, which only the first node reports, since it is the same at all nodes.
     *
     * @param weights one vector per score, on the original scale of the rows
     * @param intercepts one per score
     * @param classes the classes; empty for regression
     * @param gap the certified relative duality gap
     * @param certified whether the gap that was asked for was reached
     * @param passes the number of passes over the data, for all problems together
     * @param crossValidation how the penalty was chosen, as JSON; empty if it was given
     * @param checkpoints the name of the run's checkpoints; empty if there are none
     * @param attempt how many attempts at the stage failed before this one
     */
    record Trained(
            double[][] weights,
            double[] intercepts,
            double[] classes,
            double objective,
            double gap,
            boolean certified,
            double passes,
            long updates,
            long rows,
            int nodes,
            String network,
            double delay,
            String method,
            String crossValidation,
            String checkpoints,
            int attempt)
            implements NodeOutcome {}

    /** Encodes the outcome as bytes. */
    default byte[] encode() {
        return Serialized.bytes(this);
    }

    /** Decodes the outcome that {@link #encode} wrote. */
    static NodeOutcome decode(byte[] bytes) {
        return Serialized.value(bytes, NodeOutcome.class);
    }
}
