package dev.starling.peer.keys;

import dev.starling.certificate.Certificate;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.model.Signatures;
import dev.starling.peer.trust.KeyPin;
import dev.starling.peer.trust.Sha256;
import dev.starling.peer.trust.Trust;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What every site signs at the end: that this session, with this history of sums, produced this model, and what is
 * proven about it.
 *
 * @param session the identifier of the session, derived from what all sites agreed on at the start, as hexadecimal
 *     digits
 * @param history the digest of all totals, as hexadecimal digits
 * @param modelHash the model's hash
 * @param certificate what is proven about the model
 */
public record ModelStatement(String session, String history, String modelHash, Certificate certificate) {

    /** The context string of the signatures. */
    public static final String CONTEXT = "Starling model 1";

    /** Returns the statement that the signatures in a model's file sign. */
    public static ModelStatement of(LinearModel model) {
        Signatures signatures = model.provenance().signatures();
        return new ModelStatement(
                signatures.session(),
                signatures.history(),
                model.hash(),
                model.provenance().certificate());
    }

    /**
     * Encodes the statement as bytes: each text as its length and UTF-8, then objective, dual, error, scale and, if it
     * is stated, the bound; big-endian.
     */
    public byte[] encode() {
        return Bytes.of(this, (s, statement) -> {
            for (String text : List.of(session, history, modelHash)) {
                s.bytes(text.getBytes(StandardCharsets.UTF_8), Integer.MAX_VALUE);
            }
            s.number(certificate.objective());
            s.number(certificate.dual());
            s.number(certificate.error());
            s.number(certificate.scale());
            if (certificate.bound() > Double.NEGATIVE_INFINITY) {
                s.number(certificate.bound());
            }
            return statement;
        });
    }

    private byte[] digest() {
        return Sha256.digest().digest(encode());
    }

    /** Converts a signature and its certificate chain to the form that a model's file holds. */
    public static Signatures.Signer signer(String site, byte[] signature, byte[] chain) {
        Base64.Encoder encoder = Base64.getEncoder();
        return new Signatures.Signer(site, encoder.encodeToString(chain), encoder.encodeToString(signature));
    }

    /** Returns the public key that has signed, without checking whose it is. */
    public KeyPin signedBy(Signatures.Signer signer) {
        X509Certificate certificate = chain(signer).get(0);
        if (!SiteSignature.isSignedBy(certificate, CONTEXT, digest(), signature(signer))) {
            throw new InvalidInputException("the signature of site " + signer.site() + " does not match the model");
        }
        return KeyPin.of(certificate);
    }

    /**
     * Checks that a site has signed. A signature carries no time, so its certificate chain is validated as of the
     * moment the site's certificate was issued.
     *
     * @param name the name that the site's certificate must carry
     * @throws InvalidInputException if it has not
     */
    public void require(Signatures.Signer signer, Trust trust, Optional<KeyPin> pin, String name) {
        List<X509Certificate> chain = chain(signer);
        Instant issued = chain.get(0).getNotBefore().toInstant();
        SiteSignature.verify(trust, CONTEXT, digest(), signature(signer), chain, pin, name, issued);
    }

    private static List<X509Certificate> chain(Signatures.Signer signer) {
        List<X509Certificate> chain = SiteSignature.chain(decoded(signer.chain()));
        if (chain.isEmpty()) {
            throw new InvalidInputException("site " + signer.site() + " has signed without a certificate");
        }
        return chain;
    }

    private static byte[] signature(Signatures.Signer signer) {
        return decoded(signer.signature());
    }

    /** What Base64 of a signature or a chain stands for. */
    public static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("a signature or its certificate chain is not Base64", e);
        }
    }

    /** Formats bytes as the statement does. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
