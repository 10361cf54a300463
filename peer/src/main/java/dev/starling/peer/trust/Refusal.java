package dev.starling.peer.trust;

import java.util.Locale;

/** Why a connection or a frame was refused: the categories by which refusals are counted. */
public enum Refusal {
    /** There were more connections than are allowed. */
    TOO_MANY,
    /** The caller did not speak TLS, or sent nothing. */
    NOT_TLS,
    /** The TLS handshake failed: an old version, no certificate, or the caller disconnected. */
    HANDSHAKE,
    /** No authority that is trusted here has signed the certificate. */
    AUTHORITY,
    /** The certificate has expired. */
    EXPIRED,
    /** The certificate is not valid yet. */
    NOT_YET_VALID,
    /** The certificate has been revoked. */
    REVOKED,
    /** The certificate does not carry the name of anybody who may connect. */
    NAME,
    /** The certificate is for a public key other than the pinned one. */
    KEY,
    /** The caller did not identify itself in time. */
    SILENT,
    /** A frame exceeded the limit. */
    OVERSIZED,
    /** A frame was invalid. */
    MALFORMED;

    /** The name as it appears in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it refuses what was sent, rather than who sent it. */
    public boolean isOfFrames() {
        return this == OVERSIZED || this == MALFORMED;
    }
}
