package dev.starling.method.newton;

import dev.starling.method.TrainingSum;
import dev.starling.node.SumKind;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What a pass sums up. */
enum PassSums {
    /** Losses and gradients. */
    GRADIENT,

    /** Losses, gradients and the diagonal of the Hessian. */
    DIAGONAL,

    /** Losses, gradients and the lower triangle of the Hessian, row by row. */
    HESSIAN,

    /** Losses, gradients and random combinations of the rows, as many as there are rows. */
    SPAN,

    /** Losses and gradients with as little rounding as possible, and what else a proof by curvature needs. */
    PROOF;

    /** Returns whether it includes second derivatives. */
    boolean isCurved() {
        return kind().isCurved();
    }

    /** Returns its name in lists of sums. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what such a sum tells about rows. */
    SumKind kind() {
        return switch (this) {
            case GRADIENT, PROOF -> SumKind.GRADIENT;
            case DIAGONAL -> SumKind.DIAGONAL;
            case HESSIAN -> SumKind.HESSIAN;
            case SPAN -> SumKind.OTHER;
        };
    }

    /** Such sums as a site is told of them before it takes part. */
    static List<TrainingSum> listed(Collection<PassSums> all, PassLayout layout) {
        return all.stream()
                .map(sums -> new TrainingSum(sums.kind(), sums.text(), layout.numbers(sums)))
                .toList();
    }
}
