package dev.starling.peer.transport;

import java.security.cert.CertificateException;

/** A certificate that is not believed, and why. */
public final class RefusedCertificateException extends CertificateException {

    private static final long serialVersionUID = 1;

    private final Refusal refusal;

    RefusedCertificateException(Refusal refusal, String message) {
        super(message);
        this.refusal = refusal;
    }

    RefusedCertificateException(Refusal refusal, String message, Throwable cause) {
        super(message, cause);
        this.refusal = refusal;
    }

    /** What it is counted as. */
    public Refusal refusal() {
        return refusal;
    }
}
