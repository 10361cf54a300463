package dev.starling.peer.transport;

import java.util.Locale;

/** Why a connection or a frame was refused: what refusals are counted by. */
public enum Refusal {
    /** There were more connections than are allowed. */
    TOO_MANY,
    /** What came was not TLS, or nothing came. */
    NOT_TLS,
    /** The TLS handshake failed: an old version, no certificate, or the caller hung up. */
    HANDSHAKE,
    /** No authority that is believed here has signed the certificate. */
    AUTHORITY,
    /** The certificate has expired. */
    EXPIRED,
    /** The certificate is not valid yet. */
    NOT_YET_VALID,
    /** The certificate has been revoked. */
    REVOKED,
    /** The certificate carries the name of nobody that may call. */
    NAME,
    /** The certificate is for another public key than the pinned one. */
    KEY,
    /** The caller did not say who it is in time. */
    SILENT,
    /** A frame was longer than any may be. */
    OVERSIZED,
    /** A frame made no sense. */
    MALFORMED;

    /** The name as metrics have it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is what was sent that is refused, rather than who sent it. */
    public boolean isOfFrames() {
        return this == OVERSIZED || this == MALFORMED;
    }
}
