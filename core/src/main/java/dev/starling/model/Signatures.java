package dev.starling.model;

import java.util.List;

/**
 * Who vouches for a model that several sites have made: the signature of each over the session, the history of its
 * sums, the model's hash and its certificate. They are kept here as text; whoever knows the sites' keys can check them.
 *
 * @param session what all sites agreed on at the start, as hexadecimal digits
 * @param history the digest of all totals, as hexadecimal digits
 * @param signers the sites that have signed
 */
public record Signatures(String session, String history, List<Signer> signers) {

    /**
     * One site's signature.
     *
     * @param site its name
     * @param chain its certificate and those between it and an authority, in Base64
     * @param signature in Base64
     */
    public record Signer(String site, String chain, String signature) {}

    /** Nobody has signed. */
    public static final Signatures NONE = new Signatures("", "", List.of());

    /** Copies the list. */
    public Signatures {
        signers = List.copyOf(signers);
    }
}
