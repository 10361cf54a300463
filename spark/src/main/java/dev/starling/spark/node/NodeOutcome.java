package dev.starling.spark.node;

import dev.starling.spark.rows.Serialized;
import java.io.Serializable;

/**
 * What a task tells the driver at its end. It travels as bytes, since a job may have Spark use a serialiser that knows
 * no records.
 */
public sealed interface NodeOutcome extends Serializable {

    /** Why there is no result; all nodes say the same. */
    record Objection(String text) implements NodeOutcome {}

    /**
     * What training took at one node.
     *
     * @param seconds from the first step to the last
     */
    record Spent(long rounds, long bytes, double seconds) implements NodeOutcome {}

    /**
     * The result, from the first node only: it is the same at all.
     *
     * @param weights one vector per score, on the scale of the rows as they came
     * @param intercepts one per score
     * @param classes the classes; none in regression
     * @param gap the certified relative duality gap
     * @param certified whether that is the gap that was asked for
     * @param passes of all problems together
     * @param crossValidation how the penalty was chosen, as JSON; empty if it was given
     * @param checkpoints the run's name among checkpoints; empty if there are none
     * @param attempt how often the stage had failed before
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

    /** The outcome as bytes. */
    default byte[] encode() {
        return Serialized.bytes(this);
    }

    /** The outcome that {@link #encode} wrote. */
    static NodeOutcome decode(byte[] bytes) {
        return Serialized.value(bytes, NodeOutcome.class);
    }
}
