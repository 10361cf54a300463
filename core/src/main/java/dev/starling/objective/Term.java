package dev.starling.objective;

import dev.starling.loss.Loss;
import dev.starling.node.SumRequest;
import dev.starling.objective.strata.PartialLikelihood;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;

/**
 * One node's part of what is minimised, without the regulariser, as a function of a flat parameter. Whoever decides
 * sees nothing of it but the totals of its sums: value, weight, gradient, on request second derivatives, and bounds on
 * rounding, in the order of a {@link PassLayout}.
 *
 * <p>What an implementation promises, and what a certificate rests on:
 *
 * <ul>
 *   <li>the value is convex, differentiable and nowhere negative;
 *   <li>the slopes behind the gradient lie in the domain of the conjugate, up to {@link PassLayout#SPREAD};
 *   <li>{@link PassLayout#ERROR} bounds how much too small the value is, {@link PassLayout#SLACK} how much the
 *       conjugate misses because slopes do not match the exact margins, {@link PassLayout#SPREAD} the Euclidean error
 *       of the gradient; the roundings counted by {@link #VALUE_OPERATIONS} and {@link #SLOPE_OPERATIONS} are not part
 *       of them;
 *   <li>a parameter of the wrong length is refused.
 * </ul>
 *
 * <p>A term belongs to one node and is used by one thread at a time.
 */
public interface Term {

    /** The number of roundings in a block of losses, which are added up one by one, with room to spare. */
    int VALUE_OPERATIONS = 4 * Loss.BLOCK;

    /** The number of roundings in one loss and its slope, with room to spare. */
    int SLOPE_OPERATIONS = 16;

    /** A sum over fewer rows of a node would reveal too much about each of them; rules may demand more rows. */
    int FEWEST_ROWS = 50;

    /** Returns how many rows a pass with a given stride visits here. */
    int visits(int stride);

    /**
     * Makes later passes with a stride visit rows with values in columns that hardly any other row of theirs has values
     * in, besides every k-th row. Only where all rows have one owner: rows are picked by their values.
     */
    default void keepRareColumns() {}

    /** Returns the cost of a pass when visiting a row for the gradient of one output costs 1. */
    double cost(PassSums what, int stride);

    /**
     * Returns how much each row contributes to a pass, for the rules of a site: for every output the row's slope, and
     * with second derivatives its curvatures, times its weight; 0 for rows that the pass leaves out. Empty if each row
     * counts as its loss says, with one margin. A site refuses passes of several outputs that do not say.
     */
    default Optional<Supplier<SumRequest.Shares>> shares(PassSums what, double[] theta, int stride) {
        return Optional.empty();
    }

    /** Returns what a model without features follows from: sums of labels and weights, which depend on no parameter. */
    default double[] labels() {
        throw new UnsupportedOperationException("no sums of labels");
    }

    /**
     * Returns what a test of coefficients that change with time adds up: see {@link PartialLikelihood#changes}.
     *
     * @param scale the function of time
     */
    default double[] changes(double[] theta, DoubleUnaryOperator scale) {
        throw new UnsupportedOperationException("no times");
    }

    /** Returns how much each row contributes to {@link #changes}. */
    default SumRequest.Shares sharesOfChanges(double[] theta, DoubleUnaryOperator scale) {
        throw new UnsupportedOperationException("no times");
    }

    /**
     * Overwrites the numbers of an addend with the sums over every k-th row at a point.
     *
     * @param what anything but {@link PassSums#PROOF}
     * @param stride k
     * @param tight whether to bound rounding row by row instead of by the longest row
     */
    void sum(PassSums what, double[] theta, int stride, boolean tight, double[] sums);

    /**
     * Overwrites the numbers of an addend with those of a proof by curvature; only if the family is self-concordant.
     */
    default void prove(double[] theta, ProofBasis basis, double[] sums) {
        throw new UnsupportedOperationException("no proof by curvature");
    }

    /** Makes all later passes for {@link PassSums#COLUMNS} compute the Hessian of this working set. */
    default void choose(WorkingSet set) {
        throw new UnsupportedOperationException("no Hessian of some columns");
    }

    /** Makes all later passes compute Hessians in this span; only for terms of one output. */
    default void project(Span span) {
        throw new UnsupportedOperationException("no span of the rows");
    }
}
