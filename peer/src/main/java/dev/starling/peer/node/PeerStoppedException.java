package dev.starling.peer.node;

import java.util.OptionalInt;

/** A peer stopped before its run ended: the message is one line that says why and what was saved. */
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

    /** A neighbour did what no site of this program does: starting again would only hear the same once more. */
    static PeerStoppedException fault(String message, Throwable cause) {
        return new PeerStoppedException(message, cause, false, -1);
    }

    /** A site has been gone for too long. */
    static PeerStoppedException gone(int site, String message) {
        return new PeerStoppedException(message, null, true, site);
    }

    /** Whether the run goes on when the site is started again, with nothing changed. */
    public boolean isResumable() {
        return resumable;
    }

    /** The number of the site that is gone, if that is why. */
    OptionalInt gone() {
        return gone < 0 ? OptionalInt.empty() : OptionalInt.of(gone);
    }
}
