package dev.starling.method.newton;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;
import java.util.Arrays;

/**
 * The diagonal matrix that L-BFGS uses as the Hessian where no stored step knows better. Every step updates it as BFGS
 * would.
 *
 * @see <a href="https://doi.org/10.1007/BF01589113">Gilbert and Lemaréchal, Some numerical experiments with
 *     variable-storage quasi-Newton algorithms, 1989</a>
 */
final class DiagonalHessian implements Stateful {

    /** An update leaves at least this part of an entry, whatever rounding does. */
    private static final double LEAST = 0x1p-20;

    private final double[] entries;

    /** Starts with the identity, which treats all features alike. */
    DiagonalHessian(int features) {
        this.entries = new double[features];
        Arrays.fill(entries, 1);
    }

    /**
     * Starts half-way, on a logarithmic scale, between the regulariser alone and the diagonal of the Hessian. The full
     * diagonal would be right if features were uncorrelated; where they are correlated, it is too large.
     *
     * @param sums totals that include the diagonal of the Hessian of the summed losses
     * @param at the index of the diagonal in them
     * @param ridge what the regulariser adds to each entry of that diagonal
     */
    void begin(double[] sums, int at, double ridge) {
        for (int c = 0; c < entries.length; c++) {
            entries[c] = Math.sqrt(1 + sums[at + c] / ridge);
        }
    }

    /**
     * Updates the diagonal B with a step s along which the gradient changed by y, where sᵀy > 0: B is scaled so that
     * yᵀB⁻¹y = sᵀy, and becomes the diagonal of B + yyᵀ/sᵀy − Bs(Bs)ᵀ/sᵀBs.
     */
    void learn(double[] step, double[] change) {
        double product = 0;
        double inverseProduct = 0;
        double stepProduct = 0;
        for (int c = 0; c < entries.length; c++) {
            product = Math.fma(step[c], change[c], product);
            inverseProduct = Math.fma(change[c] / entries[c], change[c], inverseProduct);
            stepProduct = Math.fma(step[c] * entries[c], step[c], stepProduct);
        }
        double scale = inverseProduct / product;
        if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) {
            return;
        }
        for (int c = 0; c < entries.length; c++) {
            double entry = scale * entries[c];
            double taken = entries[c] * step[c] / stepProduct * (entry * step[c]);
            entries[c] = Math.max(entry - taken + change[c] / product * change[c], LEAST * entry);
        }
    }

    /** Multiplies by the inverse. */
    void divide(double[] vector) {
        for (int c = 0; c < entries.length; c++) {
            vector[c] /= entries[c];
        }
    }

    @Override
    public void state(State s) throws IOException {
        s.vector(entries);
    }
}
