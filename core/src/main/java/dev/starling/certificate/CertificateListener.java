package dev.starling.certificate;

/** Hears of certificates as they are made. */
@FunctionalInterface
public interface CertificateListener {

    /** Nobody listens. */
    CertificateListener NONE = (certificate, nextCheck) -> {};

    /**
     * A certificate was made.
     *
     * @param nextCheck the step at which the next is due; 0 if the run ends here
     */
    void onCertificate(Certificate certificate, long nextCheck);
}
