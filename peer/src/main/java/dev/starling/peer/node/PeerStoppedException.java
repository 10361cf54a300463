package dev.starling.peer.node;

/** A peer stopped before its run ended: the message is one line that says why and what was saved. */
public final class PeerStoppedException extends RuntimeException {

    PeerStoppedException(String message) {
        super(message);
    }

    PeerStoppedException(String message, Throwable cause) {
        super(message, cause);
    }
}
