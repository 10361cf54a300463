package dev.starling.spark.node;

import dev.starling.node.Exchange;

/**
 * One end of an edge between two tasks: vectors are sent and received in order. Unless said otherwise it is within one
 * process: if the other task fails, Spark notices it and ends this one.
 */
interface TaskLine {

    /** Sends the payload, which the caller may change afterwards unless it is frozen. */
    void send(Exchange exchange);

    /** Returns the next vector, which must not be modified; null if none has arrived yet. */
    double[] poll();

    /**
     * Checks that there is still somebody to wait for.
     *
     * @throws IllegalStateException if there is not
     */
    default void requireAlive() {}

    /** Lets the other end discard what was processed here. */
    default void trim() {}

    /** Tells the other end that this one needs nothing more. */
    default void finish() {}

    /** Whether this end may leave without harming the other. */
    default boolean mayLeave() {
        return true;
    }
}
