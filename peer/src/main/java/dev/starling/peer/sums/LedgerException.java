package dev.starling.peer.sums;

/**
 * Thrown when a ledger cannot be written: the site must stop, and can continue once the ledger can be written again.
 */
public final class LedgerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    LedgerException(String message, Throwable cause) {
        super(message, cause);
    }
}
