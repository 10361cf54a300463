package dev.starling.node;

import dev.starling.data.InvalidInputException;
import dev.starling.network.SpanningTree;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The operations that all nodes can perform together over a spanning tree of their network. They share one primitive:
 * vectors are merged on the way up to the root, and the root's result is sent back down, so that every node ends with
 * the same bits.
 *
 * <p>Anything computed from rows is only ever {@link #sum summed up}: sums are exact, whatever the tree, and can be
 * masked so that only the total is revealed. The other operations are for values that a node may share openly.
 *
 * <p>A node whose own part throws an {@link dev.starling.data.InvalidInputException} objects: the message of the
 * exception travels instead of the vector, and every node ends with the same {@link ObjectionException}.
 *
 * @param parent the node one hop nearer to the root; −1 at the root
 * @param children the nodes one hop farther, ascending
 * @param node this node
 * @param size the number of nodes
 * @param guard checks and masks this node's addends before they leave the node
 * @param shared results that the nodes of this process compute only once
 * @param together whether all nodes are in this process, with one owner
 * @param problem the index of the job's problem that is being solved
 * @param problems the number of problems in the job
 * @param announced which sums the owners of nodes have been told of in advance; where nodes have different owners, no
 *     others are added up
 */
public record Collectives(
        int parent,
        int[] children,
        int node,
        int size,
        SumGuard guard,
        SharedWork shared,
        boolean together,
        int problem,
        int problems,
        Predicate<SumRequest> announced) {

    private static final Predicate<SumRequest> ANY = request -> true;

    /** The collectives of a node whose process runs all nodes. */
    public static Collectives together(SpanningTree tree, int node, int size, SharedWork shared) {
        return new Collectives(
                tree.parent(node), tree.children(node), node, size, SumGuard.NONE, shared, true, 0, 1, ANY);
    }

    /** The collectives of a node that has a process to itself. */
    public static Collectives apart(SpanningTree tree, int node, int size, SumGuard guard) {
        return new Collectives(
                tree.parent(node), tree.children(node), node, size, guard, new SharedWork(), false, 0, 1, ANY);
    }

    /** The collectives of a network of a single node. */
    public static Collectives alone() {
        return new Collectives(-1, new int[0], 0, 1, SumGuard.NONE, new SharedWork(), true, 0, 1, ANY);
    }

    /** Returns a copy for one of a job's problems. */
    public Collectives of(int one, int all) {
        return new Collectives(parent, children, node, size, guard, shared, together, one, all, announced);
    }

    /** Returns a copy for a method that has announced its sums. */
    public Collectives announcing(Predicate<SumRequest> sums) {
        return new Collectives(parent, children, node, size, guard, shared, together, problem, problems, sums);
    }

    /**
     * Called before this node computes its addend.
     *
     * @throws InvalidInputException if nodes have different owners, who have not been told of such a sum
     */
    void requireAnnounced(SumRequest request) {
        if (guard.isBetweenOwners() && !announced.test(request)) {
            throw new InvalidInputException("the method asks for a sum that it has not announced: " + request.name()
                    + ", of kind " + request.kind().text() + ", with " + request.numbers()
                    + " numbers; nothing was sent");
        }
    }

    /**
     * Merges the vectors of all nodes: each node merges its own with those of its children, in ascending order.
     *
     * @param own makes this node's vector; called when its turn comes
     * @param merge merges two vectors; it may object as well, and may write to its first argument and return that
     * @param longest the largest possible number of entries of a merged vector
     */
    public Phase<double[]> fold(Supplier<double[]> own, BinaryOperator<double[]> merge, int longest) {
        return new Fold(this, own, merge, longest, Exchange.Kind.CONTROL);
    }

    /** The exact sum of all nodes' vectors, rounded once. */
    public Phase<double[]> sum(SumRequest request, Supplier<double[]> own) {
        return new HiddenSum(this, request.name(), Exchange.Kind.CONTROL)
                .of(request, () -> HiddenSum.addend(own.get()));
    }

    /** The entrywise maximum of all nodes' vectors. */
    public Phase<double[]> max(Supplier<double[]> own, int length) {
        return max(own, length, Exchange.Kind.CONTROL);
    }

    /** The same, whose hops may count as communication rounds of an algorithm. */
    public Phase<double[]> max(Supplier<double[]> own, int length, Exchange.Kind kind) {
        return new Fold(this, own, Collectives::larger, length, kind);
    }

    /** Sends every node's vector to all nodes: {@link #byNode} takes the result apart. */
    public Phase<double[]> gather(Supplier<double[]> own, int longestOfOne) {
        return fold(() -> labelled(own.get()), Collectives::joined, size * (longestOfOne + 2));
    }

    /** The vectors of a {@link #gather}, by node. */
    public List<double[]> byNode(double[] gathered) {
        double[][] result = new double[size][];
        int at = 0;
        while (at + 2 <= gathered.length) {
            int from = (int) gathered[at];
            int length = (int) gathered[at + 1];
            at += 2;
            if (from < 0 || from >= size || length < 0 || length > gathered.length - at || result[from] != null) {
                throw malformed();
            }
            result[from] = Arrays.copyOfRange(gathered, at, at + length);
            at += length;
        }
        if (at < gathered.length || Arrays.asList(result).contains(null)) {
            throw malformed();
        }
        return List.of(result);
    }

    private static InvalidInputException malformed() {
        return new InvalidInputException("a gathered vector is malformed; do all nodes run the same version?");
    }

    private double[] labelled(double[] own) {
        double[] flat = new double[own.length + 2];
        flat[0] = node;
        flat[1] = own.length;
        System.arraycopy(own, 0, flat, 2, own.length);
        return flat;
    }

    private static double[] joined(double[] first, double[] second) {
        double[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static double[] larger(double[] most, double[] other) {
        for (int k = 0; k < most.length; k++) {
            most[k] = Math.max(most[k], other[k]);
        }
        return most;
    }
}
