package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigInteger;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A private certificate authority, through which a set of sites recognise each other. It signs one certificate per
 * site, which carries the site's name and no other; keys are on NIST P-256.
 *
 * <pre>{@code
 * Authority authority = Authority.create(Instant.now(), Duration.ofDays(3650));
 * Credentials credentials = authority.issue("hospital-a", Instant.now(), Duration.ofDays(825)).credentials();
 * }</pre>
 */
public final class Authority {

    /** The file of the authority's certificate in a directory of keys; every site needs it. */
    public static final String CERTIFICATE_FILE = "authority.pem";

    /** The file of the authority's private key; it stays where it was made. */
    public static final String KEY_FILE = "authority.key";

    /** The file of the certificates that have been revoked. */
    public static final String REVOKED_FILE = "revoked.pem";

    private static final Pattern SITE_NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    /** By how much the clocks of sites may differ. */
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    private final X509Certificate certificate;
    private final PrivateKey key;

    private Authority(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * A certificate and its private key, as PEM text.
     *
     * @param authority the authority's certificate
     * @param certificate the site's certificate
     * @param key the site's private key
     */
    public record SiteKeys(byte[] authority, byte[] certificate, byte[] key) implements Serializable {

        /** Parses them into credentials. */
        public Credentials credentials() {
            return Credentials.ofPem(authority, certificate, key);
        }
    }

    /** Creates an authority whose certificate is valid for this long. */
    public static Authority create(Instant now, Duration validity) {
        KeyPair pair = newKeys();
        X500Name name = new X500Name("CN=Starling private authority");
        try {
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                            name,
                            serial(),
                            Date.from(now.minus(CLOCK_SKEW)),
                            Date.from(now.plus(validity)),
                            name,
                            pair.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            return new Authority(signed(builder, pair.getPrivate()), pair.getPrivate());
        } catch (CertIOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Loads the authority whose files are in a directory. */
    public static Authority load(Path directory) {
        Path file = directory.resolve(CERTIFICATE_FILE);
        if (!Files.exists(file)) {
            throw new InvalidInputException(
                    file
                            + " does not exist; make an authority with 'starling keys init', or name the directory of one that exists");
        }
        byte[] pem = readPublic(file);
        Credentials parts = Credentials.ofPem(pem, pem, OwnerOnly.read(directory.resolve(KEY_FILE)));
        return new Authority(parts.certificate(), parts.key());
    }

    /** Writes the authority's files into a directory; refuses to replace existing ones. */
    public void save(Path directory) throws IOException {
        create(directory);
        write(directory.resolve(KEY_FILE), KeyFiles.pem(key, Optional.empty()), true);
        write(directory.resolve(CERTIFICATE_FILE), Pem.of(certificate), false);
    }

    /** Issues a certificate and key for a site, valid for this long. */
    public SiteKeys issue(String site, Instant now, Duration validity) {
        requireSiteName(site);
        KeyPair pair = newKeys();
        return new SiteKeys(
                Pem.of(certificate),
                Pem.of(certify(site, pair.getPublic(), now, validity)),
                KeyFiles.pem(pair.getPrivate(), Optional.empty()));
    }

    /** Issues a certificate, as PEM text, for a key that a site has made itself, valid for this long. */
    public byte[] sign(SigningRequest request, Instant now, Duration validity) {
        return Pem.of(certify(request.site(), request.publicKey(), now, validity));
    }

    private X509Certificate certify(String site, PublicKey siteKey, Instant now, Duration validity) {
        try {
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                            certificate,
                            serial(),
                            Date.from(now.minus(CLOCK_SKEW)),
                            Date.from(now.plus(validity)),
                            new X500Name("CN=" + site),
                            siteKey)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
                        KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                    }))
                    .addExtension(
                            Extension.subjectAlternativeName,
                            false,
                            new GeneralNames(new GeneralName(GeneralName.dNSName, site)));
            return signed(builder, key);
        } catch (CertIOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Issues a list, as PEM text, of certificates that are revoked.
     *
     * @param before the list that this one replaces, if there is one; its entries are kept
     * @param certificates the certificates to add
     * @param validity how long the list is valid; after that, sites without a newer one trust nobody
     */
    public byte[] revoke(Optional<byte[]> before, List<X509Certificate> certificates, Instant now, Duration validity) {
        try {
            X509v2CRLBuilder builder = new X509v2CRLBuilder(
                            X500Name.getInstance(
                                    certificate.getSubjectX500Principal().getEncoded()),
                            Date.from(now))
                    .setNextUpdate(Date.from(now.plus(validity)));
            before.ifPresent(pem -> builder.addCRL(Pem.read(pem, X509CRLHolder.class, "the revocation list")));
            for (X509Certificate one : certificates) {
                if (!one.getIssuerX500Principal().equals(certificate.getSubjectX500Principal())) {
                    throw new InvalidInputException("the certificate of "
                            + one.getSubjectX500Principal() + " was not issued by this authority, but by "
                            + one.getIssuerX500Principal() + "; only its own can be revoked");
                }
                builder.addCRLEntry(one.getSerialNumber(), Date.from(now), CRLReason.unspecified);
            }
            return Pem.of(
                    "X509 CRL",
                    builder.build(new JcaContentSignerBuilder(signatureOf(key)).build(key))
                            .getEncoded());
        } catch (OperatorCreationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes a site's certificate and key into a directory, as {@code NAME.pem} and {@code NAME.key}. */
    public static List<Path> save(SiteKeys keys, String site, Path directory) throws IOException {
        create(directory);
        Path keyFile = directory.resolve(site + ".key");
        Path certificateFile = directory.resolve(site + ".pem");
        write(keyFile, keys.key(), true);
        write(certificateFile, keys.certificate(), false);
        return List.of(certificateFile, keyFile);
    }

    /**
     * Writes the certificate of a site into a directory, as {@code NAME.pem}. An existing one is replaced if it is for
     * the same key, which is how a certificate is renewed.
     */
    public static Path saveCertificate(byte[] certificate, SigningRequest request, Path directory) throws IOException {
        create(directory);
        Path file = directory.resolve(request.site() + ".pem");
        if (Files.exists(file)) {
            KeyPin before = KeyPin.of(
                    Credentials.certificates(readPublic(file), "certificate").get(0));
            if (!before.equals(request.pin())) {
                throw new InvalidInputException(file + " is for the public key " + before + ", and the request for "
                        + request.pin() + "; if site " + request.site()
                        + " has really made a new key, revoke the old certificate and move it away");
            }
        }
        AtomicFiles.write(file, out -> out.write(certificate));
        return file;
    }

    /** Refuses a name that a certificate cannot carry as a DNS name. */
    public static void requireSiteName(String site) {
        if (!SITE_NAME.matcher(site).matches()) {
            throw new InvalidInputException("site name '" + site
                    + "' must be 1 to 63 lower-case letters, digits and inner hyphens, such as hospital-a");
        }
    }

    private static void create(Path directory) throws IOException {
        Files.createDirectories(directory);
    }

    private static void write(Path file, byte[] content, boolean secret) throws IOException {
        try {
            if (secret) {
                OwnerOnly.write(file, content);
            } else if (Files.exists(file)) {
                throw new FileAlreadyExistsException(file.toString());
            } else {
                Files.write(file, content);
            }
        } catch (FileAlreadyExistsException e) {
            throw new InvalidInputException(file + " exists; keys are never replaced, so move it away first", e);
        }
    }

    /** Reads a file that holds nothing secret. */
    public static byte[] readPublic(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; 'starling keys' makes it", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
    }

    /** Generates a key pair on P-256. */
    public static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    private static BigInteger serial() {
        return new BigInteger(127, new SecureRandom());
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key) {
        try {
            ContentSigner signer = new JcaContentSignerBuilder(signatureOf(key)).build(key);
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        } catch (OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The signature algorithm with which a key signs certificates and requests. */
    static String signatureOf(PrivateKey key) {
        return key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    }
}
