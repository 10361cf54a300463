package dev.starling.node;

/**
 * What stands between a node's addend and the others: at a site masks, rules and a ledger, nothing where all nodes have
 * one owner. It changes no total, so it changes no result.
 */
public interface SumGuard {

    /** No masks, no rules. */
    SumGuard NONE = new SumGuard() {};

    /** Whether nodes belong to different owners: then nobody believes what he can check. */
    default boolean isBetweenOwners() {
        return false;
    }

    /**
     * Before what nodes say aloud of each other is used.
     *
     * @throws dev.starling.data.InvalidInputException if it is not what that node has signed
     */
    default void requireSaid(int node, long rows, double weight) {}

    /** How much a run may tell, the same at all nodes. */
    default ReleaseLimits limits() {
        return ReleaseLimits.NONE;
    }

    /**
     * Before a method has nodes tell their neighbours more than sums.
     *
     * @throws dev.starling.data.InvalidInputException if this node does not allow it
     */
    default void requireConsent(String method) {}

    /**
     * Whether a gradient in which every sample has this share may be told. If not, a node that can tells what it told
     * before, and from then on wishes that the run ended.
     *
     * @param shares slopes times weights, by sample
     */
    default boolean allowsSlopes(int problem, double[] shares) {
        return true;
    }

    /** Whether this node would rather that the run ended soon: it has told nearly as much as it may. */
    default boolean wishesToStop() {
        return false;
    }

    /** What stands in clear before the words of a sum, the same at all nodes: its number and what came before. */
    default double[] heading() {
        return new double[0];
    }

    /** How many entries a heading has; known before the first sum. */
    default int headingLength() {
        return 0;
    }

    /**
     * Before an addend is added to anything that leaves the node.
     *
     * @param addend the numbers
     * @param words their words, to be masked in place
     * @throws dev.starling.data.InvalidInputException if this node's rules refuse
     */
    default void seal(SumRequest request, double[] addend, double[] words) {}

    /** Once the totals of a sum are known. */
    default void opened(SumRequest request, double[] totals) {}
}
