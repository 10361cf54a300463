package dev.starling.node;

/**
 * Checks and masks a node's addends before they leave the node. A site has masks, rules and a ledger; nodes with one
 * owner need none of them. A guard changes no total and hence no result.
 */
public interface SumGuard {

    /** A guard without masks or rules. */
    SumGuard NONE = new SumGuard() {};

    /** Whether nodes belong to different owners and therefore verify each other's claims whenever they can. */
    default boolean isBetweenOwners() {
        return false;
    }

    /**
     * Called before the openly shared figures of a node are used.
     *
     * @throws dev.starling.data.InvalidInputException if they are not those that the node has signed
     */
    default void requireSaid(int node, long rows, double weight) {}

    /** How much a run may reveal; the same at all nodes. */
    default ReleaseLimits limits() {
        return ReleaseLimits.NONE;
    }

    /**
     * Called before a method is used in which nodes send their neighbours more than sums.
     *
     * @throws dev.starling.data.InvalidInputException if this node does not allow it
     */
    default void requireConsent(String method) {}

    /**
     * Called before numbers are added up from which those of single nodes can be computed, and again for each such sum.
     *
     * @param what what that is, for a message
     * @throws dev.starling.data.InvalidInputException if not every owner has given leave
     */
    default void requireLeave(String what) {}

    /**
     * Whether a gradient or Hessian in which the samples have these shares may be sent. If not, a node sends a previous
     * one instead if it can; in place of the first Hessian, one without its samples. If it is a gradient, the node
     * wishes to stop from then on.
     *
     * @param shares slope or curvature times weight, for each sample
     */
    default boolean allows(SumKind kind, int problem, double[] shares) {
        return true;
    }

    /** Whether this node wishes the run to end soon because it has revealed nearly as much as it may. */
    default boolean wishesToStop() {
        return false;
    }

    /**
     * The unmasked entries that precede the words of a sum, the same at all nodes: its number and the history of sums.
     */
    default double[] heading() {
        return new double[0];
    }

    /** The number of entries of a heading; known before the first sum. */
    default int headingLength() {
        return 0;
    }

    /**
     * Called before an addend is added to anything that leaves the node.
     *
     * @param addend the numbers
     * @param words their words, to be masked in place
     * @throws dev.starling.data.InvalidInputException if this node's rules refuse
     */
    default void seal(SumRequest request, double[] addend, double[] words) {}

    /** The number of entries that each node adds to a sum as its seal; 0 if nodes do without. */
    default int sealLength() {
        return 0;
    }

    /** The number of entries of the longest signature that follows totals. */
    default int signatureLength() {
        return 0;
    }

    /**
     * Seals what a node sends up the tree, so that it can be held to it: the first half of a seal is about its own
     * addend, as it was last passed to {@link #seal}, the second about the words of all nodes below and itself.
     *
     * @param seal where to write the seal
     * @param message the words that are sent, from an index on
     */
    default void stamp(SumRequest request, double[] seal, double[] message, int from) {}

    /**
     * Called when a child's words arrive.
     *
     * @throws dev.starling.data.InvalidInputException if its seal is not that of the words
     */
    default void requireStamped(SumRequest request, double[] seal, double[] message, int from) {}

    /** Called when totals arrive with a seal in this node's place. */
    default void requireSame(double[] own, double[] seal) {}

    /**
     * Called once the totals of a sum are known.
     *
     * @param totals the totals, followed by the seals of all nodes
     */
    default void opened(SumRequest request, double[] totals) {}

    /**
     * Signs the totals that were last opened, at the root, or checks that the root has.
     *
     * @param parent the node that they came from; negative at the root
     * @param received the signature that came with them
     * @return the root's signature, which goes on to the node's children
     * @throws dev.starling.data.InvalidInputException if the root has not signed them
     */
    default double[] signed(int parent, double[] received) {
        return new double[0];
    }
}
