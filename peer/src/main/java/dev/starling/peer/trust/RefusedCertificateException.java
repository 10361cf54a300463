package dev.starling.peer.trust;

import java.security.cert.CertificateException;

/** Thrown when a certificate is not trusted; says why. */
public final class RefusedCertificateException extends CertificateException {

    private static final long serialVersionUID = 1;

    private final Refusal refusal;

    public RefusedCertificateException(Refusal refusal, String message) {
        super(message);
        this.refusal = refusal;
    }

    public RefusedCertificateException(Refusal refusal, String message, Throwable cause) {
        super(message, cause);
        this.refusal = refusal;
    }

    /** The category under which it is counted. */
    public Refusal refusal() {
        return refusal;
    }
}
