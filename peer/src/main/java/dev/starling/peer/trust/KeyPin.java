package dev.starling.peer.trust;

import dev.starling.data.InvalidInputException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.regex.Pattern;

/**
 * A public key, identified by the SHA-256 of its SubjectPublicKeyInfo. It stays the same when a certificate is renewed,
 * and even somebody who has an authority's private key cannot impersonate its holder.
 *
 * @param sha256 64 lower-case hexadecimal digits
 */
public record KeyPin(String sha256) {

    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");

    /** Validates the digits. */
    public KeyPin {
        if (!DIGITS.matcher(sha256).matches()) {
            throw new InvalidInputException(
                    "'" + sha256 + "' is not the SHA-256 of a public key; it must be 64 lower-case hexadecimal digits");
        }
    }

    /** The pin of the key that a certificate is for. */
    public static KeyPin of(X509Certificate certificate) {
        return of(certificate.getPublicKey());
    }

    /** The pin of a key. */
    public static KeyPin of(PublicKey key) {
        return new KeyPin(Sha256.hex(key.getEncoded()));
    }

    @Override
    public String toString() {
        return sha256;
    }
}
