package dev.starling.method.newton;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.node.HiddenSum;

/**
 * Where the sums of a pass are in the vector that nodes add up: a head, the gradient, with a free intercept the part of
 * the gradient that rows with positive slopes make and what rounding may have added to that, and the Hessian, or what
 * the span of the rows is found from.
 *
 * @param features d, the intercept's feature included
 * @param intercept whether the last feature is that of an intercept which is not regularised
 * @param curved dimensions of the Hessian: all features, or those of a basis of the span of the rows
 */
record PassLayout(int features, boolean intercept, int curved) {

    PassLayout(int features, boolean intercept) {
        this(features, intercept, features);
    }

    /** The layout where Hessians are summed up in the span of so many rows; an intercept has a dimension of its own. */
    static PassLayout inSpan(int features, boolean intercept, int rows) {
        return new PassLayout(features, intercept, intercept ? rows + 1 : rows);
    }

    /** Whether Hessians are summed up in the span of the rows. */
    boolean inSpan() {
        return curved < features;
    }

    /** How many random combinations of the rows their span is found from. */
    int combinations() {
        return intercept ? curved - 1 : curved;
    }

    /** How many weights the regulariser is about: all, or all but the intercept, which is last. */
    int regularised() {
        return intercept ? features - 1 : features;
    }

    /** The first entry of Σ w s x over the rows whose slope s is positive; only with a free intercept. */
    int rising() {
        return NewtonPass.GRADIENT + features;
    }

    /** What rounding may have added to the length of that vector. */
    int risingSpread() {
        return rising() + features;
    }

    /**
     * The first entry of the lower half of the Hessian, by rows, of its diagonal, or of the first combination of rows.
     */
    int hessian() {
        return intercept ? risingSpread() + 1 : NewtonPass.GRADIENT + features;
    }

    /** The first of what a proof by curvature needs beside the gradient. */
    int proof() {
        return NewtonPass.GRADIENT + features;
    }

    /** Entries of an addend. */
    int length(PassSums order) {
        return switch (order) {
            case GRADIENT -> hessian();
            case DIAGONAL -> hessian() + features;
            case HESSIAN -> hessian() + curved * (curved + 1) / 2;
            case SPAN -> hessian() + features * combinations();
            case PROOF -> proof() + ProofPass.LENGTH;
        };
    }

    /** What a free intercept does to a proof from the totals of a pass. */
    FreeIntercept balance(double[] sums, double[] vector) {
        return FreeIntercept.of(
                new FreeIntercept.Totals(
                        sums,
                        NewtonPass.GRADIENT,
                        rising(),
                        sums[NewtonPass.WEIGHT],
                        sums[NewtonPass.LOSS],
                        sums[NewtonPass.ERROR],
                        sums[NewtonPass.SPREAD]),
                vector);
    }

    /** How many numbers are added up. */
    int numbers(PassSums order) {
        return length(order) - HiddenSum.HEAD;
    }
}
