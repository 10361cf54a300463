package dev.starling.peer.transport;

import dev.starling.peer.trust.Refusal;

/**
 * Is told what happens on the links of a node. Called on the threads that deliver messages, so it must return at once
 * and never block.
 */
public interface LinkEvents {

    /** A link is up: both ends have identified themselves. */
    default void onUp(Link link) {}

    /** A link was lost, or an attempt to establish it failed. */
    default void onDown(Link link, String reason) {}

    /** A vector or an answer to a probe arrived, or a neighbour finished. */
    default void onArrival(Link link) {}

    /**
     * A note arrived.
     *
     * @return whether it is valid; if it is not, the stream is closed
     */
    default boolean onNote(Link link, int origin, int topic, byte[] body) {
        return true;
    }

    /**
     * Somebody was refused, for example because of a wrong name or a malformed frame.
     *
     * @param who an address or a name; untrusted text
     * @param why the category under which it is counted
     * @param reason a description
     */
    default void onRefused(String who, Refusal why, String reason) {}

    /**
     * A neighbour takes part in another run or network, or asks for messages that are no longer kept: the run cannot
     * continue.
     */
    default void onMismatch(Link link, String reason) {}
}
