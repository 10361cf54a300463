package dev.starling.peer.transport;

/**
 * Hears what happens on the links of a node. Called on the threads that carry the messages: it must return at once and
 * never block.
 */
public interface LinkEvents {

    /** A link stands: both ends have said who they are. */
    default void onUp(Link link) {}

    /** A link is lost, or an attempt to make it failed. */
    default void onDown(Link link, String reason) {}

    /** A vector or an answer to a probe arrived, or a neighbour finished. */
    default void onArrival(Link link) {}

    /**
     * A note arrived.
     *
     * @return whether it makes sense; one that does not closes the stream
     */
    default boolean onNote(Link link, int origin, int topic, byte[] body) {
        return true;
    }

    /**
     * Somebody was refused: a wrong name, a malformed frame.
     *
     * @param who an address or a name; text that others chose
     * @param why what it is counted as
     * @param reason the same in words
     */
    default void onRefused(String who, Refusal why, String reason) {}

    /** A neighbour takes part in something else, or asks for what is no longer kept: the run cannot go on. */
    default void onMismatch(Link link, String reason) {}
}
