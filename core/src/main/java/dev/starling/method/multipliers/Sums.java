package dev.starling.method.multipliers;

import dev.starling.node.HiddenSum;

/** Where the sums of {@link Ask#GRADIENT} are; of the other asks all are alike. */
final class Sums {

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

    private Sums() {}
}
