package dev.starling.method.multipliers;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.node.HiddenSum;

/**
 * Where the sums of {@link SumKind#GRADIENT} are: a head, the gradient, and with a free intercept the part of the
 * gradient that rows with positive slopes make and what rounding may have added to that. Of the other asks all are
 * alike.
 *
 * @param features d, the intercept's feature included
 * @param intercept whether the last feature is that of an intercept which is not regularised
 */
record GradientLayout(int features, boolean intercept) {

    static final int LOSS = HiddenSum.HEAD;
    static final int WEIGHT = LOSS + 1;

    /** Σ w (ℓ(m) + ℓ*(s) − sm): what slopes lack of being those of the loss. */
    static final int EXCESS = LOSS + 2;

    /** Σ w (s − a)²: how far slopes are from the multipliers. */
    static final int DISTANCE = LOSS + 3;

    /** Samples whose rows were visited, samples that kinks hold, and nodes with too few of those to tell of them. */
    static final int VISITS = LOSS + 4;

    static final int HELD = LOSS + 5;
    static final int SHY = LOSS + 6;

    /** What rounding may have taken from the losses, from the excess, and from the length of the gradient. */
    static final int ERROR = LOSS + 7;

    static final int SLACK = LOSS + 8;
    static final int SPREAD = LOSS + 9;

    static final int GRADIENT = LOSS + 10;

    /** Where all sums of the other asks begin. */
    static final int FIRST = HiddenSum.HEAD;

    /** The first entry of Σ w s x over the rows whose slope s is positive; only with a free intercept. */
    int rising() {
        return GRADIENT + features;
    }

    /** What rounding may have added to the length of that vector. */
    int risingSpread() {
        return rising() + features;
    }

    /** How many weights are regularised: all, or all but the intercept. */
    int regularised() {
        return intercept ? features - 1 : features;
    }

    /** How many numbers are added up. */
    int numbers(SumKind ask) {
        return switch (ask) {
            case GRADIENT -> (intercept ? risingSpread() + 1 : rising()) - HiddenSum.HEAD;
            case HESSIAN -> features * (features + 1) / 2;
            case LINE -> LineSearch.TRIALS;
        };
    }

    /** What the intercept does to a proof by the slopes of these totals. */
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
