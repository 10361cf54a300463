package dev.starling.peer.trust;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which certificates a node trusts: those that one of its authorities has signed, that are valid by its clock, and that
 * no revocation list names. Refusals are explained in detail, including dates, since clocks that differ are the most
 * common reason.
 *
 * @param authorities the certificates of trusted authorities
 * @param revoked lists of revoked certificates, each signed by an authority
 */
public record Trust(List<X509Certificate> authorities, List<X509CRL> revoked) {

    /** The length of the longest chain; longer ones are refused before anything is computed. */
    public static final int LONGEST_CHAIN = 6;

    private static final int DIGITAL_SIGNATURE = 0;

    /** Copies the lists. */
    public Trust {
        authorities = List.copyOf(authorities);
        revoked = List.copyOf(revoked);
    }

    /**
     * Checks a chain as of a given moment.
     *
     * @param chain the certificate in question, followed by any intermediate ones
     * @throws RefusedCertificateException if it is not trusted
     */
    public void require(List<X509Certificate> chain, Instant now) throws RefusedCertificateException {
        if (chain.isEmpty() || chain.size() > LONGEST_CHAIN) {
            throw new RefusedCertificateException(
                    Refusal.AUTHORITY,
                    "a chain of " + chain.size() + " certificates; it must have 1 to " + LONGEST_CHAIN);
        }
        for (X509Certificate certificate : chain) {
            requireValid(certificate, now);
        }
        requireSigned(chain, now);
        for (X509Certificate certificate : chain) {
            requireNotRevoked(certificate, now);
        }
        boolean[] usage = chain.get(0).getKeyUsage();
        if (usage != null && !usage[DIGITAL_SIGNATURE]) {
            throw new RefusedCertificateException(
                    Refusal.AUTHORITY, described(chain.get(0)) + " may not be used for signatures");
        }
    }

    /**
     * Checks that a certificate carries a name and is for the public key that is pinned for it.
     *
     * @param pin the key, if one is pinned
     * @throws RefusedCertificateException if it does not
     */
    public static void requireHolder(X509Certificate certificate, String name, Optional<KeyPin> pin)
            throws RefusedCertificateException {
        Set<String> names = CertificateNames.of(certificate);
        if (!names.contains(name)) {
            throw new RefusedCertificateException(
                    Refusal.NAME, "the certificate carries " + shown(names) + ", not the name " + name);
        }
        KeyPin presented = KeyPin.of(certificate);
        if (pin.isPresent() && !pin.get().equals(presented)) {
            throw new RefusedCertificateException(
                    Refusal.KEY,
                    "the certificate of " + name + " is for the public key " + presented + ", but " + pin.get()
                            + " is pinned; if " + name + " has made a new key, change it in the files of all sites");
        }
    }

    private static String shown(Set<String> names) {
        return names.isEmpty()
                ? "no name"
                : names.stream().map(Trust::printable).collect(Collectors.joining(", ", "the name ", ""));
    }

    /** Checks the dates of a certificate. */
    static void requireValid(X509Certificate certificate, Instant now) throws RefusedCertificateException {
        Instant from = certificate.getNotBefore().toInstant();
        Instant to = certificate.getNotAfter().toInstant();
        if (now.isBefore(from) || now.isAfter(to)) {
            boolean early = now.isBefore(from);
            throw new RefusedCertificateException(
                    early ? Refusal.NOT_YET_VALID : Refusal.EXPIRED,
                    described(certificate) + (early ? " is not valid before " + from : " expired at " + to)
                            + ", and the clock here says " + now.truncatedTo(ChronoUnit.SECONDS)
                            + "; correct the clock, or renew the certificate");
        }
    }

    private void requireSigned(List<X509Certificate> chain, Instant now) throws RefusedCertificateException {
        // Some send the authority's certificate as well; it is trusted because it is configured, not because it was
        // sent.
        List<X509Certificate> path = chain.stream()
                .filter(certificate -> !authorities.contains(certificate))
                .toList();
        try {
            PKIXParameters parameters = new PKIXParameters(authorities.stream()
                    .map(authority -> new TrustAnchor(authority, null))
                    .collect(Collectors.toSet()));
            parameters.setDate(Date.from(now));
            parameters.setRevocationEnabled(false);
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
        } catch (GeneralSecurityException e) {
            throw new RefusedCertificateException(
                    Refusal.AUTHORITY,
                    described(chain.get(0)) + ", issued by "
                            + printable(chain.get(0).getIssuerX500Principal().getName())
                            + ", is not signed by an authority that is trusted here",
                    e);
        }
    }

    private void requireNotRevoked(X509Certificate certificate, Instant now) throws RefusedCertificateException {
        for (X509CRL list : revoked) {
            if (!list.getIssuerX500Principal().equals(certificate.getIssuerX500Principal())) {
                continue;
            }
            X509CRLEntry entry = list.getRevokedCertificate(certificate);
            if (entry != null) {
                throw new RefusedCertificateException(
                        Refusal.REVOKED,
                        described(certificate) + " was revoked at "
                                + entry.getRevocationDate().toInstant());
            }
            if (list.getNextUpdate() != null && now.isAfter(list.getNextUpdate().toInstant())) {
                throw new RefusedCertificateException(
                        Refusal.REVOKED,
                        "the revocation list of "
                                + printable(list.getIssuerX500Principal().getName()) + " was due to be replaced by "
                                + list.getNextUpdate().toInstant() + "; get a new one from the authority");
            }
        }
    }

    /** Checks that every list is signed by one of the authorities. */
    void requireGenuineLists() throws CertificateException {
        for (X509CRL list : revoked) {
            boolean genuine = authorities.stream().anyMatch(authority -> isSignedBy(list, authority));
            if (!genuine) {
                throw new CertificateException("the revocation list of "
                        + printable(list.getIssuerX500Principal().getName())
                        + " is not signed by an authority that is trusted here");
            }
        }
    }

    private static boolean isSignedBy(X509CRL list, X509Certificate authority) {
        try {
            list.verify(authority.getPublicKey());
            return list.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static String described(X509Certificate certificate) {
        return "the certificate of "
                + printable(certificate.getSubjectX500Principal().getName());
    }

    /** Names in certificates are untrusted text, which a terminal must not interpret. */
    private static String printable(String text) {
        return Printable.of(text, 80);
    }
}
