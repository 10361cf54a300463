package dev.starling.peer.node;

import java.util.OptionalInt;

/** Thrown when a peer stops before its run has ended; the message is one line that says why and what was saved. */
public final class PeerStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final boolean resumable;
    private final int gone;

    private PeerStoppedException(String message, Throwable cause, boolean resumable, int gone) {
        super(message, cause);
        this.resumable = resumable;
        this.gone = gone;
    }

    PeerStoppedException(String message) {
        this(message, null);
    }

    PeerStoppedException(String message, Throwable cause) {
        this(message, cause, true, -1);
    }

    /**
     * A neighbour did something that no correct site does, so that starting again would only lead to the same error.
     */
    static PeerStoppedException fault(String message, Throwable cause) {
        return new PeerStoppedException(message, cause, false, -1);
    }

    /** A site has been unreachable for too long. */
    static PeerStoppedException gone(int site, String message) {
        return new PeerStoppedException(message, null, true, site);
    }

    /** Whether the run can continue when the site is started again, without any changes. */
    public boolean isResumable() {
        return resumable;
    }

    /** The number of the site that is gone, if that is the reason. */
    OptionalInt gone() {
        return gone < 0 ? OptionalInt.empty() : OptionalInt.of(gone);
    }
}
