package dev.starling.peer.membership;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.transport.KeyPin;
import java.util.Base64;
import java.util.Optional;

/**
 * A site's signature with its certificate chain, as text.
 *
 * @param chain the chain, in Base64
 * @param signature the signature, in Base64
 */
public record Signed(String chain, String signature) {

    /** Signs a digest. */
    static Signed by(SiteSignature site, String context, byte[] digest) {
        Base64.Encoder base64 = Base64.getEncoder();
        return new Signed(base64.encodeToString(site.chain()), base64.encodeToString(site.sign(context, digest)));
    }

    /** Signs a consent. */
    public static Signed by(SiteSignature site, Consent consent) {
        return by(site, Consent.CONTEXT, consent.digest());
    }

    void require(SiteSignature verifier, String context, byte[] digest, Optional<KeyPin> pin, String name) {
        verifier.verify(context, digest, bytes(signature), SiteSignature.chain(bytes(chain)), pin, name);
    }

    private static byte[] bytes(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("a signature or its certificate chain is not Base64", e);
        }
    }
}
