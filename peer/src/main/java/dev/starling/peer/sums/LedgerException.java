package dev.starling.peer.sums;

/** A ledger that cannot be written: the site must stop, and can go on when it can be. */
public final class LedgerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    LedgerException(String message, Throwable cause) {
        super(message, cause);
    }
}
