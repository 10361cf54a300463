package dev.starling.method.newton;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.node.HiddenSum;

/**
 * The layout of the vector of sums that nodes add up after a pass: a head; the gradient; with a free intercept, the
 * part of the gradient from rows with positive slopes and a bound on its rounding error; and the Hessian, or the
 * combinations that the span of the rows is computed from.
 *
 * @param features d, the number of features, including that of the intercept
 * @param intercept whether the last feature is that of a free intercept
 * @param curved the dimension of the Hessian: that of all features, or of the span of the rows
 */
record PassLayout(int features, boolean intercept, int curved) {

    PassLayout(int features, boolean intercept) {
        this(features, intercept, features);
    }

    /** Returns the layout for Hessians in the span of this many rows; an intercept has a dimension of its own. */
    static PassLayout inSpan(int features, boolean intercept, int rows) {
        return new PassLayout(features, intercept, intercept ? rows + 1 : rows);
    }

    /** Returns whether Hessians are computed in the span of the rows. */
    boolean inSpan() {
        return curved < features;
    }

    /** Returns the number of random combinations from which the span of the rows is computed. */
    int combinations() {
        return intercept ? curved - 1 : curved;
    }

    /** Returns how many weights are regularised: all, or all but the intercept, which is last. */
    int regularised() {
        return intercept ? features - 1 : features;
    }

    /** Returns the index of Σ w s x over the rows whose slope s is positive; only with a free intercept. */
    int rising() {
        return NewtonPass.GRADIENT + features;
    }

    /** Returns the index of the bound on what rounding may have added to the length of that vector. */
    int risingSpread() {
        return rising() + features;
    }

    /**
     * Returns the index of the lower triangle of the Hessian, row by row, of its diagonal, or of the combinations of
     * rows.
     */
    int hessian() {
        return intercept ? risingSpread() + 1 : NewtonPass.GRADIENT + features;
    }

    /** Returns the index of the numbers that a proof by curvature needs in addition to the gradient. */
    int proof() {
        return NewtonPass.GRADIENT + features;
    }

    /** Returns the length of an addend, including its head. */
    int length(PassSums passSums) {
        return switch (passSums) {
            case GRADIENT -> hessian();
            case DIAGONAL -> hessian() + features;
            case HESSIAN -> hessian() + curved * (curved + 1) / 2;
            case SPAN -> hessian() + features * combinations();
            case PROOF -> proof() + ProofPass.LENGTH;
        };
    }

    /** Returns the effect of a free intercept on a proof from the totals of a pass. */
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

    /** Returns how many numbers are added up. */
    int numbers(PassSums passSums) {
        return length(passSums) - HiddenSum.HEAD;
    }
}
