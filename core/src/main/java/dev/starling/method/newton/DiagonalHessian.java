package dev.starling.method.newton;

import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * What L-BFGS takes the Hessian for where no remembered step tells of it: a diagonal, which every step mends as the
 * BFGS update would.
 *
 * @see <a href="https://doi.org/10.1007/BF01589113">Gilbert and Lemaréchal, Some numerical experiments with
 *     variable-storage quasi-Newton algorithms, 1989</a>
 */
final class DiagonalHessian {

    /** The part of an entry that rounding leaves of it at the least. */
    private static final double LEAST = 0x1p-20;

    private final double[] entries;

    /** Knows of nothing that would tell one feature from another. */
    DiagonalHessian(int features) {
        this.entries = new double[features];
        Arrays.fill(entries, 1);
    }

    /**
     * Begins half-way, on a scale of logarithms, between the regulariser and the diagonal of the Hessian. The whole
     * diagonal would be right if features had nothing to do with each other; of those that come together it makes too
     * much.
     *
     * @param sums totals that have the diagonal of the sum of losses from an index on
     * @param ridge what the regulariser would add to that sum's
     */
    void begin(double[] sums, int at, double ridge) {
        for (int c = 0; c < entries.length; c++) {
            entries[c] = Math.sqrt(1 + sums[at + c] / ridge);
        }
    }

    /**
     * Learns from a step s along which the gradient changed by y, sᵀy > 0: B is scaled so that yᵀB⁻¹y = sᵀy, and
     * becomes the diagonal of B + yyᵀ/sᵀy − Bs(Bs)ᵀ/sᵀBs.
     */
    void learn(double[] step, double[] change) {
        double product = 0;
        double bent = 0;
        double straight = 0;
        for (int c = 0; c < entries.length; c++) {
            product = Math.fma(step[c], change[c], product);
            bent = Math.fma(change[c] / entries[c], change[c], bent);
            straight = Math.fma(step[c] * entries[c], step[c], straight);
        }
        double scale = bent / product;
        if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) {
            return;
        }
        for (int c = 0; c < entries.length; c++) {
            double entry = scale * entries[c];
            double taken = entries[c] * step[c] / straight * (entry * step[c]);
            entries[c] = Math.max(entry - taken + change[c] / product * change[c], LEAST * entry);
        }
    }

    /** Multiplies by the inverse. */
    void divide(double[] vector) {
        for (int c = 0; c < entries.length; c++) {
            vector[c] /= entries[c];
        }
    }

    void save(DataOutput out) throws IOException {
        SavedState.writeDoubles(out, entries);
    }

    void restore(DataInput in) throws IOException {
        SavedState.readDoubles(in, entries);
    }
}
