package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.trust.Credentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;

/**
 * The files that establish who a site is and whom it trusts. The key is PKCS #8 in PEM, encrypted or not, or a PKCS #12
 * store, which holds the certificate as well.
 *
 * @param authority certificates of the authorities
 * @param certificate the site's certificate and any intermediate ones; the same file as the key if that is a store
 * @param key the site's private key; only its owner may read it
 * @param password the password of the key, if it is encrypted
 * @param revoked a list of revoked certificates, if there is one
 */
public record KeyFiles(
        Path authority, Path certificate, Path key, Optional<Password> password, Optional<Path> revoked) {

    private static final String ENCRYPTED = "-----BEGIN ENCRYPTED PRIVATE KEY-----";
    private static final int DER_SEQUENCE = 0x30;

    /** Returns the same files, to be opened with a password. */
    public KeyFiles with(Password newPassword) {
        return new KeyFiles(authority, certificate, key, Optional.of(newPassword), revoked);
    }

    /** All files that are configured. */
    Stream<Path> all() {
        return Stream.concat(Stream.of(authority, certificate, key), revoked.stream());
    }

    /** Whether the key is encrypted and no password is known. */
    public boolean needsPassword() {
        return password.isEmpty() && isEncrypted(OwnerOnly.read(key));
    }

    /** Reads the files; refuses a key that others may read. */
    public Credentials load() {
        byte[] secret = OwnerOnly.read(key);
        List<X509Certificate> authorities = certificates(authority, "authority");
        List<X509CRL> lists = revoked.map(KeyFiles::lists).orElse(List.of());
        if (isStore(secret)) {
            KeyStore.PrivateKeyEntry entry = storeEntry(secret);
            List<X509Certificate> chain = certificate.equals(key)
                    ? Arrays.stream(entry.getCertificateChain())
                            .map(X509Certificate.class::cast)
                            .toList()
                    : certificates(certificate, "certificate");
            return new Credentials(authorities, chain, entry.getPrivateKey(), lists);
        }
        return new Credentials(authorities, certificates(certificate, "certificate"), privateKey(secret), lists);
    }

    /** Reads certificates; {@code what} describes them in error messages. */
    public static List<X509Certificate> certificates(Path file, String what) {
        try {
            return Credentials.certificates(Authority.readPublic(file), what);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(file + ": " + e.getMessage(), e);
        }
    }

    private static List<X509CRL> lists(Path file) {
        try {
            List<X509CRL> lists = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCRLs(new ByteArrayInputStream(Authority.readPublic(file)))
                    .forEach(list -> lists.add((X509CRL) list));
            if (lists.isEmpty()) {
                throw new InvalidInputException(file + " holds no revocation list; 'starling keys revoke' makes one");
            }
            return lists;
        } catch (GeneralSecurityException e) {
            throw new InvalidInputException(file + " is not a revocation list: " + e.getMessage(), e);
        }
    }

    private static boolean isStore(byte[] content) {
        return content.length > 0 && content[0] == DER_SEQUENCE;
    }

    private static boolean isEncrypted(byte[] content) {
        return isStore(content) || new String(content, StandardCharsets.US_ASCII).contains(ENCRYPTED);
    }

    private PrivateKey privateKey(byte[] pem) {
        return isEncrypted(pem) ? decrypted(pem) : Credentials.privateKey(pem);
    }

    private char[] passwordCharacters() {
        return password.orElseThrow(() -> new InvalidInputException(key
                        + " is encrypted; give the file that holds its password as 'password', or start at a terminal"))
                .characters();
    }

    private PrivateKey decrypted(byte[] pem) {
        char[] characters = passwordCharacters();
        try {
            byte[] encoded = Pem.read(pem, PKCS8EncryptedPrivateKeyInfo.class, key.toString())
                    .decryptPrivateKeyInfo(new JceOpenSSLPKCS8DecryptorProviderBuilder()
                            .setProvider(new BouncyCastleProvider())
                            .build(characters))
                    .getEncoded();
            return Credentials.ofPkcs8(encoded);
        } catch (PKCSException | OperatorCreationException | IOException e) {
            throw new InvalidInputException(key + " cannot be decrypted; is its password right?", e);
        } finally {
            Arrays.fill(characters, '\0');
        }
    }

    private KeyStore.PrivateKeyEntry storeEntry(byte[] content) {
        char[] characters = passwordCharacters();
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(content), characters);
            List<String> keys = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    keys.add(alias);
                }
            }
            if (keys.size() != 1) {
                throw new InvalidInputException(key + " holds " + keys.size() + " keys; it must hold one");
            }
            return (KeyStore.PrivateKeyEntry) store.getEntry(keys.get(0), new KeyStore.PasswordProtection(characters));
        } catch (GeneralSecurityException | IOException e) {
            throw new InvalidInputException(key + " cannot be opened as a PKCS #12 store; is its password right?", e);
        } finally {
            Arrays.fill(characters, '\0');
        }
    }

    /** A private key as PEM text, encrypted (PBES2, AES-256) if there is a password. */
    public static byte[] pem(PrivateKey key, Optional<Password> password) {
        if (password.isEmpty()) {
            return Pem.of("PRIVATE KEY", key.getEncoded());
        }
        char[] characters = password.get().characters();
        try {
            return Pem.of(
                    "ENCRYPTED PRIVATE KEY",
                    new JcaPKCS8Generator(
                                    key,
                                    new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                                            .setProvider(new BouncyCastleProvider())
                                            .setPRF(PKCS8Generator.PRF_HMACSHA256)
                                            .setIterationCount(600_000)
                                            .setPassword(characters)
                                            .build())
                            .generate()
                            .getContent());
        } catch (OperatorCreationException | IOException e) {
            throw new IllegalStateException("a key cannot be encrypted: " + e.getMessage(), e);
        } finally {
            Arrays.fill(characters, '\0');
        }
    }

    /** Reads the file of a private key on its own. */
    public static PrivateKey readKey(Path key, Optional<Password> password) {
        return new KeyFiles(key, key, key, password, Optional.empty()).privateKey(OwnerOnly.read(key));
    }
}
