package dev.starling.objective;

import dev.starling.node.SumKind;
import java.util.Locale;

/** What a pass sums up. */
public enum PassSums {
    /** Losses and gradients. */
    GRADIENT,

    /** Losses, gradients and the diagonal of the Hessian. */
    DIAGONAL,

    /** Losses, gradients and the lower triangles of the Hessian's blocks. */
    HESSIAN,

    /** Losses, gradients and the lower triangle of the Hessian of some columns, which {@link Term#choose} names. */
    COLUMNS,

    /** Losses, gradients and random combinations of the rows, as many as there are rows. */
    SPAN,

    /** Losses and gradients with as little rounding as possible, and what else a proof by curvature needs. */
    PROOF;

    /** Returns whether it includes second derivatives. */
    public boolean isCurved() {
        return kind().isCurved();
    }

    /** Returns its name in lists of sums. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what such a sum tells about rows. */
    public SumKind kind() {
        return switch (this) {
            case GRADIENT, PROOF -> SumKind.GRADIENT;
            case DIAGONAL -> SumKind.DIAGONAL;
            case HESSIAN, COLUMNS -> SumKind.HESSIAN;
            case SPAN -> SumKind.OTHER;
        };
    }
}
