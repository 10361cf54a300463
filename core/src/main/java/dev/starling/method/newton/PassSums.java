package dev.starling.method.newton;

import dev.starling.node.HiddenSum;
import java.util.Locale;

/** What a pass is to sum up. */
enum PassSums {
    /** Losses and gradients. */
    GRADIENT,

    /** Losses, gradients and the lower half of the Hessian, by rows. */
    HESSIAN;

    /** What it is called where sums are listed. */
    String kind() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How many numbers are added up. */
    int numbers(int features) {
        return length(features) - HiddenSum.HEAD;
    }

    /** Entries of an addend. */
    int length(int features) {
        int gradient = NewtonPass.GRADIENT + features;
        return this == GRADIENT ? gradient : gradient + features * (features + 1) / 2;
    }
}
