package dev.starling.method.multipliers;

import java.util.Locale;

/** The kinds of sums that nodes add up. */
enum SumKind {
    /** Losses and the gradient of the smoothed problem, at a point. */
    GRADIENT,

    /**
     * The lower triangle of the smoothed problem's Hessian, row by row: a sum over the samples that are held by their
     * kinks.
     */
    HESSIAN,

    /** Slopes of the smoothed problem along a direction, at several steps. */
    LINE;

    /** Returns its name in lists of sums. */
    String requestKind() {
        return name().toLowerCase(Locale.ROOT);
    }
}
