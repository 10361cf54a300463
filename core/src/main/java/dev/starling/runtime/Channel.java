package dev.starling.runtime;

import dev.starling.node.Exchange;

/**
 * One node's lines to its neighbours: in order, without loss, one reader and one writer. What carries the vectors
 * (memory, a network) is behind it.
 */
public interface Channel {

    /**
     * Takes the payload of an exchange for a neighbour, or returns false if there is no room for it yet.
     *
     * @param clock the sender's idealised time
     */
    boolean send(int to, Exchange exchange, double clock);

    /**
     * The oldest vector from a neighbour, valid until {@link #take}; null if none has come. It is at least as long as
     * what was sent, and exactly as long if that was frozen.
     */
    double[] peek(int from);

    /** The sender's idealised time when it sent the oldest vector. */
    double peekClock(int from);

    /** Done with the oldest vector. */
    void take(int from);

    /**
     * From now on vectors of up to this many entries are to be expected. One may come that is longer, from a neighbour
     * that is a phase ahead: it waits with its sender and is no fault.
     */
    default void expect(int entries) {}
}
