package dev.starling.method.multipliers;

import java.util.Locale;

/** What nodes are asked to add up. */
enum SumKind {
    /** Losses and the gradient of the smoothed problem, at a point. */
    GRADIENT,

    /** The lower half of the smoothed problem's Hessian, by rows: a sum over the samples that their kinks hold. */
    HESSIAN,

    /** Slopes of the smoothed problem along a direction, after steps of several lengths. */
    LINE;

    /** What it is called where sums are listed. */
    String kind() {
        return name().toLowerCase(Locale.ROOT);
    }
}
