package dev.starling.peer.trust;

import dev.starling.data.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * How a node proves its name, and whom it trusts: its certificate chain and private key, and the certificates of the
 * authorities that sign for its neighbours.
 *
 * @param authorities the certificates of trusted authorities
 * @param chain the node's own certificate, followed by any intermediate ones
 * @param key the private key of the node's certificate
 * @param revoked lists of revoked certificates
 */
public record Credentials(
        List<X509Certificate> authorities, List<X509Certificate> chain, PrivateKey key, List<X509CRL> revoked) {

    private static final String KEY_BEGINS = "-----BEGIN PRIVATE KEY-----";
    private static final String KEY_ENDS = "-----END PRIVATE KEY-----";

    /** Copies the lists; refuses revocation lists that no authority has signed. */
    public Credentials {
        authorities = List.copyOf(authorities);
        chain = List.copyOf(chain);
        revoked = List.copyOf(revoked);
        if (authorities.isEmpty() || chain.isEmpty()) {
            throw new InvalidInputException("credentials need an authority and a certificate; one of them is empty");
        }
        try {
            new Trust(authorities, revoked).requireGenuineLists();
        } catch (CertificateException e) {
            throw new InvalidInputException(e.getMessage(), e);
        }
    }

    /** Creates the credentials of a node that knows of no revoked certificates. */
    public Credentials(List<X509Certificate> authorities, List<X509Certificate> chain, PrivateKey key) {
        this(authorities, chain, key, List.of());
    }

    /** Parses credentials from PEM text; the key must be unencrypted PKCS #8. */
    public static Credentials ofPem(byte[] authorities, byte[] chain, byte[] key) {
        return new Credentials(
                certificates(authorities, "authority"), certificates(chain, "certificate"), privateKey(key));
    }

    /** Which certificates of others the node trusts. */
    public Trust trust() {
        return new Trust(authorities, revoked);
    }

    /** The node's own certificate. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /** Parses certificates from PEM text; {@code what} describes them in error messages. */
    public static List<X509Certificate> certificates(byte[] pem, String what) {
        try {
            List<X509Certificate> result = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .forEach(certificate -> result.add((X509Certificate) certificate));
            return result;
        } catch (GeneralSecurityException e) {
            throw new InvalidInputException("the " + what + " is not a PEM certificate: " + e.getMessage(), e);
        }
    }

    /** Parses a private key from PEM text, which must be unencrypted PKCS #8. */
    public static PrivateKey privateKey(byte[] pem) {
        String text = new String(pem, StandardCharsets.US_ASCII);
        int from = text.indexOf(KEY_BEGINS);
        int to = text.indexOf(KEY_ENDS);
        if (from < 0 || to < from) {
            throw new InvalidInputException("the key has no '" + KEY_BEGINS
                    + "'; it must be an unencrypted PKCS #8 key in PEM (openssl pkcs8 -topk8 -nocrypt makes one)");
        }
        return ofPkcs8(Base64.getMimeDecoder().decode(text.substring(from + KEY_BEGINS.length(), to)));
    }

    /** Parses a private key from PKCS #8 bytes. */
    public static PrivateKey ofPkcs8(byte[] encoded) {
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (GeneralSecurityException e) {
                // not a key of this type; try the next
            }
        }
        throw new InvalidInputException("the key is not an EC, RSA or Ed25519 key in PKCS #8");
    }
}
