package dev.starling.peer.sums;

/**
 * What holds sites to what they have sent, should there ever be a dispute: a salted hash of every addend, a hash of
 * what each passed up the tree, and the signature of the tree's root under every total. Every site keeps those of all.
 */
public interface SumWitness {

    /** What the signatures under totals are for. */
    String CONTEXT = "Starling total 2";

    /** A hash of an addend, before it is masked, against which no guess can be confirmed without the site's salt. */
    byte[] seal(byte[] question, double[] words);

    /**
     * Called when totals arrive with the seals of all sites.
     *
     * @param same whether the one in this site's place is its own
     */
    void requireOwnSeal(boolean same);

    /** Signs so many totals and their history, at the root of the tree, for everybody. */
    byte[] sign(long totals, byte[] history);

    /**
     * Called when a total arrives.
     *
     * @throws dev.starling.data.InvalidInputException if the root has not signed the history that ends with it
     */
    void requireSigned(Told told);
}
