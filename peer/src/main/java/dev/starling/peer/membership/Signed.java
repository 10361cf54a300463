package dev.starling.peer.membership;

import dev.starling.peer.keys.ModelStatement;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.trust.KeyPin;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
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
        List<X509Certificate> certificates = SiteSignature.chain(ModelStatement.decoded(chain));
        verifier.verify(context, digest, ModelStatement.decoded(signature), certificates, pin, name);
    }
}
