package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import dev.starling.peer.trust.RefusedCertificateException;
import dev.starling.peer.trust.Trust;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.Signature;
import java.security.cert.CertPath;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Signs with the key of a site's certificate, and checks the signatures of others. The signed message is 64 times 0x20
 * ‖ context ‖ 0x00 ‖ digest, as in TLS 1.3, so that a signature made for one purpose, such as a handshake, is valid for
 * no other. An elliptic-curve key signs with ECDSA and SHA-256, an RSA key with RSASSA-PSS, SHA-256 and a salt of 32
 * bytes.
 *
 * <pre>{@code
 * SiteSignature here = new SiteSignature(credentials);
 * byte[] signature = here.sign("Starling facts 1", sha256);
 * there.verify("Starling facts 1", sha256, signature, SiteSignature.chain(here.chain()), Optional.of(pin), "hospital-a");
 * }</pre>
 *
 * @param credentials the site's own key, and whom it trusts
 */
public record SiteSignature(Credentials credentials) {

    /** The length of the longest chain that is accepted, in bytes. */
    public static final int LONGEST_CHAIN_BYTES = 16 * 1024;

    private static final int PADDING = 64;
    private static final int DIGEST_BYTES = 32;
    private static final PSSParameterSpec PSS =
            new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, DIGEST_BYTES, 1);
    private static final String CHAIN_ENCODING = "PkiPath";

    /**
     * Signs a SHA-256 digest.
     *
     * @param context the purpose of the signature; whoever checks it must give the same
     */
    public byte[] sign(String context, byte[] digest) {
        try {
            Signature signature = algorithm(credentials.key());
            signature.initSign(credentials.key());
            signature.update(message(context, digest));
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the site's key cannot sign: " + e.getMessage(), e);
        }
    }

    /** Encodes the site's certificate chain, to accompany its signatures. */
    public byte[] chain() {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertPath(credentials.chain())
                    .getEncoded(CHAIN_ENCODING);
        } catch (CertificateException e) {
            throw new IllegalStateException("certificates that were read can be written", e);
        }
    }

    /** Decodes what {@link #chain()} returned. */
    public static List<X509Certificate> chain(byte[] encoded) {
        if (encoded.length > LONGEST_CHAIN_BYTES) {
            throw new InvalidInputException("a certificate chain of " + encoded.length + " bytes; at most "
                    + LONGEST_CHAIN_BYTES + " are allowed");
        }
        try {
            CertPath path = CertificateFactory.getInstance("X.509")
                    .generateCertPath(new ByteArrayInputStream(encoded), CHAIN_ENCODING);
            return path.getCertificates().stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new InvalidInputException("a certificate chain cannot be read", e);
        }
    }

    /**
     * Checks that a site has signed a SHA-256 digest: that the chain is trusted here and valid now, that its
     * certificate carries the site's name and is for the public key pinned for the site, and that this key made the
     * signature.
     *
     * @param pin the site's public key, if it is pinned
     * @param name the name that the site's certificate must carry
     * @throws InvalidInputException saying which of these does not hold
     */
    public void verify(
            String context,
            byte[] digest,
            byte[] signature,
            List<X509Certificate> chain,
            Optional<KeyPin> pin,
            String name) {
        verify(credentials.trust(), context, digest, signature, chain, pin, name, Instant.now());
    }

    /** Checks a signature against given authorities, as of a given moment. */
    static void verify(
            Trust trust,
            String context,
            byte[] digest,
            byte[] signature,
            List<X509Certificate> chain,
            Optional<KeyPin> pin,
            String name,
            Instant at) {
        try {
            trust.require(chain, at);
            Trust.requireHolder(chain.get(0), name, pin);
        } catch (RefusedCertificateException e) {
            throw new InvalidInputException("what was signed in the name of site " + name + ": " + e.getMessage(), e);
        }
        if (!isSignedBy(chain.get(0), context, digest, signature)) {
            throw new InvalidInputException("what was signed in the name of site " + name
                    + " was altered or signed for another purpose: its signature does not match");
        }
    }

    /** Whether the key of a certificate made a signature; does not check whose key that is. */
    public static boolean isSignedBy(X509Certificate certificate, String context, byte[] digest, byte[] signature) {
        try {
            Signature verifier = algorithm(certificate.getPublicKey());
            verifier.initVerify(certificate.getPublicKey());
            verifier.update(message(context, digest));
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static Signature algorithm(Key key) throws GeneralSecurityException {
        switch (key.getAlgorithm()) {
            case "EC":
                return Signature.getInstance("SHA256withECDSA");
            case "RSA":
                Signature signature = Signature.getInstance("RSASSA-PSS");
                signature.setParameter(PSS);
                return signature;
            default:
                return Signature.getInstance(key.getAlgorithm());
        }
    }

    private static byte[] message(String context, byte[] digest) {
        if (digest.length != DIGEST_BYTES || context.indexOf(0) >= 0) {
            throw new IllegalArgumentException("a signature is over a context and " + DIGEST_BYTES
                    + " bytes, not over '" + context + "' and " + digest.length);
        }
        byte[] text = context.getBytes(StandardCharsets.UTF_8);
        byte[] message = new byte[PADDING + text.length + 1 + digest.length];
        Arrays.fill(message, 0, PADDING, (byte) ' ');
        System.arraycopy(text, 0, message, PADDING, text.length);
        System.arraycopy(digest, 0, message, PADDING + text.length + 1, digest.length);
        return message;
    }
}
