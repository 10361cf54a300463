package dev.starling.method;

import dev.starling.certificate.Certificate;

/** Receives each certificate as it is made. */
@FunctionalInterface
public interface CertificateListener {

    /** Ignores all certificates. */
    CertificateListener NONE = (certificate, nextCheck) -> {};

    /**
     * Called when a certificate has been made.
     *
     * @param nextCheck the step at which the next certificate is due; 0 if the run ends here
     */
    void onCertificate(Certificate certificate, long nextCheck);
}
