package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Optional;
import org.bouncycastle.jcajce.provider.asymmetric.util.EC5Util;

/**
 * A key that a site makes itself and keeps: only its signing request leaves the site. An existing key is reused, so
 * that its certificate can be renewed and its pin stays the same.
 *
 * @param file where the private key is
 * @param pair both keys
 * @param isNew whether it was made just now
 */
public record OwnKey(Path file, KeyPair pair, boolean isNew) {

    /**
     * Returns the key of a site in a directory, {@code NAME.key}; it is generated if there is none.
     *
     * @param password the password with which the key is, or will be, encrypted
     */
    public static OwnKey in(Path directory, String site, Optional<Password> password) throws IOException {
        Authority.requireSiteName(site);
        Path file = directory.resolve(site + ".key");
        if (Files.exists(file)) {
            PrivateKey key = KeyFiles.readKey(file, password);
            return new OwnKey(file, new KeyPair(publicKey(key, file), key), false);
        }
        KeyPair pair = Authority.newKeys();
        Files.createDirectories(directory);
        OwnerOnly.write(file, KeyFiles.pem(pair.getPrivate(), password));
        return new OwnKey(file, pair, true);
    }

    private static PublicKey publicKey(PrivateKey key, Path file) {
        try {
            if (key instanceof RSAPrivateCrtKey rsa) {
                return KeyFactory.getInstance("RSA")
                        .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
            }
            if (key instanceof ECPrivateKey ec) {
                var point = EC5Util.convertSpec(ec.getParams())
                        .getG()
                        .multiply(ec.getS())
                        .normalize();
                return KeyFactory.getInstance("EC")
                        .generatePublic(new ECPublicKeySpec(EC5Util.convertPoint(point), ec.getParams()));
            }
        } catch (GeneralSecurityException e) {
            throw new InvalidInputException(file + " holds a key that cannot be used: " + e.getMessage(), e);
        }
        throw new InvalidInputException(
                file + " holds a key of type " + key.getAlgorithm() + "; requests are made for EC and RSA keys");
    }
}
