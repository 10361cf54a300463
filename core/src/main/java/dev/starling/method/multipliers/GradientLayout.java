package dev.starling.method.multipliers;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumKind;

/**
 * The layout of the sums of {@link SumKind#GRADIENT}: a head; the gradient; and with a free intercept, the part of the
 * gradient from rows with positive slopes and a bound on its rounding error. The sums of the other kinds all start at
 * {@link #FIRST}.
 *
 * @param features d, the number of features, including that of the intercept
 * @param intercept whether the last feature is that of a free intercept
 */
record GradientLayout(int features, boolean intercept) {

    static final int LOSS = HiddenSum.HEAD;
    static final int WEIGHT = LOSS + 1;

    /** Σ w (ℓ(m) + ℓ*(s) − sm): how far slopes are from those of the loss itself, as a part of the gap. */
    static final int EXCESS = LOSS + 2;

    /** Σ w (s − a)²: how far slopes are from the multipliers. */
    static final int DISTANCE = LOSS + 3;

    /** The number of samples whose rows were visited. */
    static final int VISITS = LOSS + 4;

    /** The number of samples that are held by their kinks. */
    static final int HELD = LOSS + 5;
    /** The number of nodes on which kinks hold some samples, but too few to release anything about them. */
    static final int TOO_FEW_HELD = LOSS + 6;

    /** Bounds on what rounding may have changed in the losses, in the excess and in the gradient. */
    static final int ERROR = LOSS + 7;

    static final int SLACK = LOSS + 8;
    static final int SPREAD = LOSS + 9;

    static final int GRADIENT = LOSS + 10;

    /** The index of the first sum of the other kinds. */
    static final int FIRST = HiddenSum.HEAD;

    /** Returns the index of Σ w s x over the rows whose slope s is positive; only with a free intercept. */
    int rising() {
        return GRADIENT + features;
    }

    /** Returns the index of the bound on what rounding may have added to the length of that vector. */
    int risingSpread() {
        return rising() + features;
    }

    /** Returns how many weights are regularised: all, or all but the intercept. */
    int regularised() {
        return intercept ? features - 1 : features;
    }

    /**
     * Returns how many numbers are added up: for a gradient what the layout lists, for a Hessian its lower triangle,
     * row by row, over the samples that are held by their kinks, and for a line its slopes at several steps.
     */
    int numbers(SumKind kind) {
        return switch (kind) {
            case GRADIENT -> (intercept ? risingSpread() + 1 : rising()) - HiddenSum.HEAD;
            case HESSIAN -> features * (features + 1) / 2;
            case LINE -> SearchLine.TRIALS;
            default -> throw unknown(kind);
        };
    }

    static IllegalArgumentException unknown(SumKind kind) {
        return new IllegalArgumentException("the method of multipliers has no sums of kind " + kind);
    }

    /** Returns the effect of a free intercept, if there is one, on a proof with the slopes of these totals. */
    FreeIntercept balance(double[] totals, double[] gradient) {
        return intercept
                ? FreeIntercept.of(
                        new FreeIntercept.Totals(
                                totals,
                                GRADIENT,
                                rising(),
                                totals[WEIGHT],
                                totals[LOSS],
                                totals[ERROR],
                                totals[SPREAD]),
                        gradient)
                : FreeIntercept.none(gradient);
    }
}
