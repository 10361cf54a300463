package dev.starling.model;

import java.util.List;

/**
 * The signatures of the sites that made a model together. Each signs the session, the history of its sums, the model's
 * hash and its certificate. They are stored as text; anyone who has the sites' public keys can verify them.
 *
 * @param session identifies what all sites agreed on at the start, as hexadecimal digits
 * @param history the digest of all totals, as hexadecimal digits
 * @param signers the sites that have signed
 */
public record Signatures(String session, String history, List<Signer> signers) {

    /**
     * One site's signature.
     *
     * @param site the name of the site
     * @param chain its certificate chain up to an authority, in Base64
     * @param signature the signature, in Base64
     */
    public record Signer(String site, String chain, String signature) {}

    /** No signatures. */
    public static final Signatures NONE = new Signatures("", "", List.of());

    /** Copies the list. */
    public Signatures {
        signers = List.copyOf(signers);
    }
}
