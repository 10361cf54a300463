package dev.starling.runtime;

import dev.starling.node.Exchange;
import java.util.OptionalLong;

/**
 * One node's connections to its neighbours: in order, without loss, with one reader and one writer each.
 * Implementations decide how vectors are transported (in memory, over a network).
 */
public interface Channel {

    /**
     * Accepts the payload of an exchange for a neighbour, or returns false if there is no room for it yet.
     *
     * @param clock the sender's idealised time
     */
    boolean send(int to, Exchange exchange, double clock);

    /**
     * The oldest vector from a neighbour, valid until {@link #take}; null if none has arrived. It is at least as long
     * as what was sent, and exactly as long if that was frozen.
     */
    double[] peek(int from);

    /** The sender's idealised time when it sent the oldest vector. */
    double peekClock(int from);

    /** Removes the oldest vector. */
    void take(int from);

    /** Counts the oldest vector from a neighbour as one that what this node sends from now on comes after. */
    default void follow(int from) {}

    /** How many messages, of those that were counted, came one after another; empty if neighbours do not tell. */
    default OptionalLong latency() {
        return OptionalLong.empty();
    }

    /**
     * Announces that from now on vectors may have up to this many entries. A longer one from a neighbour that is a
     * phase ahead is no error: it waits at its sender.
     */
    default void expect(int entries) {}
}
