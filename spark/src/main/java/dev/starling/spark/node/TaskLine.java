package dev.starling.spark.node;

import dev.starling.node.Exchange;

/** One end of an edge between two tasks: vectors go out and come in, in order. */
interface TaskLine {

    /** Sends the payload, which is the caller's to change afterwards unless it is frozen. */
    void send(Exchange exchange);

    /** The next vector, not to be written to; null if none has come yet. */
    double[] poll();

    /**
     * Makes sure that there is still somebody to wait for.
     *
     * @throws IllegalStateException if not
     */
    void requireAlive();

    /** Lets the other end forget what was taken in here. */
    void trim();

    /** Tells the other end that this one needs nothing more. */
    void finish();

    /** Whether this end may leave without harm to the other. */
    boolean mayLeave();
}
