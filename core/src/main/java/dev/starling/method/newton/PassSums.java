package dev.starling.method.newton;

import dev.starling.method.TrainingSum;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What a pass is to sum up. */
enum PassSums {
    /** Losses and gradients. */
    GRADIENT,

    /** Losses, gradients and the diagonal of the Hessian. */
    DIAGONAL,

    /** Losses, gradients and the lower half of the Hessian, by rows. */
    HESSIAN,

    /** Losses, gradients and combinations of the rows, as many as there are rows. */
    SPAN,

    /**
     * Losses and gradients with as little rounding as there can be, and what a proof by curvature needs beside them.
     */
    PROOF;

    /** Whether it tells of second derivatives. */
    boolean isCurved() {
        return this == DIAGONAL || this == HESSIAN;
    }

    /** What it is called where sums are listed. */
    String kind() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Such sums as a site is told of them before it takes part. */
    static List<TrainingSum> listed(Collection<PassSums> all, PassLayout layout) {
        return all.stream()
                .map(sums -> new TrainingSum(sums.kind(), layout.numbers(sums), sums.isCurved()))
                .toList();
    }
}
