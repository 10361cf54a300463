package dev.starling.peer.sums;

/**
 * What holds sites to what they have sent, should there ever be a dispute: a salted hash of every addend, a hash of
 * what each passed up the tree, and a signature of whoever passed a total down. Every site keeps those of all.
 */
public interface SumWitness {

    /** What the signatures under totals are for. */
    String CONTEXT = "Starling total 1";

    /** A hash of an addend, before it is masked, against which no guess can be confirmed without the site's salt. */
    byte[] seal(byte[] question, double[] words);

    /**
     * Called when totals arrive with the seals of all sites.
     *
     * @param same whether the one in this site's place is its own
     */
    void requireOwnSeal(boolean same);

    /** Signs the history of sums up to a total, for those to whom this site passes it on. */
    byte[] sign(byte[] history);

    /**
     * Called when a total arrives from another site.
     *
     * @throws dev.starling.data.InvalidInputException if that site has not signed the history that ends with it
     */
    void requireSigned(int site, byte[] history, byte[] signature);
}
