package dev.starling.peer.trust;

import java.net.Socket;
import java.security.cert.CRLReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateRevokedException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Checks the certificate of the other end of a connection, against whom the node currently trusts and whom it expects.
 */
public final class SiteTrustManager extends X509ExtendedTrustManager {

    /** Whom a node expects at the other end. */
    @FunctionalInterface
    public interface Holder {
        /** Accepts anybody: a caller has not said yet which neighbour it is. */
        Holder ANY = certificate -> {};

        void require(X509Certificate certificate) throws RefusedCertificateException;
    }

    private final Supplier<Credentials> credentials;
    private final Holder holder;

    public SiteTrustManager(Supplier<Credentials> credentials, Holder holder) {
        this.credentials = credentials;
        this.holder = holder;
    }

    private void require(X509Certificate... chain) throws CertificateException {
        try {
            credentials.get().trust().require(List.of(chain), Instant.now());
            holder.require(chain[0]);
        } catch (RefusedCertificateException e) {
            throw alerting(e, chain[0]);
        }
    }

    /** Converts the exception to the type from which TLS derives the alert that tells the other end the reason. */
    private static CertificateException alerting(RefusedCertificateException e, X509Certificate certificate) {
        CertificateException typed = switch (e.refusal()) {
            case EXPIRED -> new CertificateExpiredException(e.getMessage());
            case NOT_YET_VALID -> new CertificateNotYetValidException(e.getMessage());
            case REVOKED ->
                new CertificateRevokedException(
                        Date.from(Instant.now()),
                        CRLReason.UNSPECIFIED,
                        certificate.getIssuerX500Principal(),
                        Map.of());
            default -> new CertificateException(e.getMessage());
        };
        typed.initCause(e);
        return typed;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        require(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        require(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        require(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        require(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        require(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        require(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return credentials.get().authorities().toArray(new X509Certificate[0]);
    }
}
