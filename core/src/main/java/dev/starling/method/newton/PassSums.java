package dev.starling.method.newton;

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
}
