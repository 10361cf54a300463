package dev.starling.objective;

import dev.starling.internal.Cholesky;
import dev.starling.node.SumWords;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * The basis in which nodes measure their rows for a proof: an inverse X of a factor of the Hessian, XᵀX ≈ H⁻¹, and the
 * scale of every feature. The entries of features that are left out are 0.
 *
 * @param inverse X, lower triangular, d × d row by row
 * @param scales 1/√H_cc
 * @param length ‖X/scales‖, in the Frobenius norm
 * @param unit the number that squared lengths ‖Xx‖² are divided by before they are raised to a power
 * @param leverages whether those lengths are needed at all
 * @param radius the distance up to which bounds on third derivatives hold, in the norm of the Hessian; 0 if they hold
 *     everywhere
 */
public record ProofBasis(
        double[] inverse, double[] scales, double length, double unit, boolean leverages, double radius) {

    private static final double SCALE_OF_LEVERAGES = 1024;

    /** The number of roundings in one entry that are not additions of rows, with room to spare. */
    private static final int OPERATIONS = 64;

    /**
     * Returns the basis for a Hessian.
     *
     * @param hessian d × d row by row; zeros for features that are left out
     * @param factor its factor, with ones on the diagonal for features that are left out
     */
    public static ProofBasis of(
            double[] hessian, double[] factor, boolean[] leftOut, boolean leverages, double radius) {
        int d = leftOut.length;
        double[] inverse = Cholesky.inverse(factor, d);
        double[] scales = new double[d];
        double squares = 0;
        int kept = 0;
        for (int b = 0; b < d; b++) {
            if (leftOut[b]) {
                inverse[b * d + b] = 0;
            } else {
                kept++;
                scales[b] = 1 / Math.sqrt(hessian[b * d + b]);
            }
        }
        for (int b = 0; b < d; b++) {
            for (int a = 0; a <= b; a++) {
                double entry = scales[a] == 0 ? 0 : inverse[b * d + a] / scales[a];
                squares += entry * entry;
            }
        }
        double length = (1 + 0x1p-20) * Math.sqrt(squares);
        return new ProofBasis(inverse, scales, length, SCALE_OF_LEVERAGES * Math.max(1, kept), leverages, radius);
    }

    /** Returns a bound on ‖Xx‖ of a vector with an entry for every feature. */
    public double lengthOf(double[] vector) {
        int d = scales.length;
        double squares = 0;
        double scaled = 0;
        for (int b = 0; b < d; b++) {
            double sum = 0;
            for (int a = 0; a <= b; a++) {
                sum = Math.fma(inverse[b * d + a], vector[a], sum);
            }
            squares += sum * sum;
            double entry = vector[b] * scales[b];
            scaled += entry * entry;
        }
        // Xx is rounded too.
        return (1 + 0x1p-40) * Math.sqrt(squares) + 2.0 * (d + OPERATIONS) * Rounding.UNIT * length * Math.sqrt(scaled);
    }

    /** Returns a bound on the length of a vector in units of the features' scales. */
    public double scaledLengthOf(double[] vector) {
        double squares = 0;
        for (int c = 0; c < scales.length; c++) {
            double entry = vector[c] * scales[c];
            squares += entry * entry;
        }
        return (1 + 0x1p-20) * Math.sqrt(squares);
    }

    /** Returns a bound on what a node's words lose of a gradient, in units of the features' scales. */
    public double roundingOfWords() {
        double sum = 0;
        for (double scale : scales) {
            sum += scale * SumWords.ROUNDING;
        }
        return sum;
    }

    /** Rounds the bounds that are summed up over some rows up to words, with what adding them up may have lost. */
    public void roundUp(double[] sums, PassLayout layout, int rows) {
        double more = 1 + 4.0 * rows * Rounding.UNIT;
        int proof = layout.proof();
        sums[proof + PassLayout.SCALED_ERROR] =
                SumWords.up(more * (sums[proof + PassLayout.SCALED_ERROR] + roundingOfWords()));
        sums[proof + PassLayout.SQUARED_ERROR] = SumWords.up(more * sums[proof + PassLayout.SQUARED_ERROR]);
        sums[proof + PassLayout.DISTANCES] = SumWords.up(more * sums[proof + PassLayout.DISTANCES]);
        sums[proof + PassLayout.LEVERAGES] = SumWords.up(more * sums[proof + PassLayout.LEVERAGES]);
        sums[PassLayout.ERROR] = SumWords.up(more * sums[PassLayout.ERROR] + SumWords.ROUNDING);
    }

    /**
     * Returns ‖Xx‖² in a form whose sum over all rows bounds the largest one closely: in units of {@code unit}, to the
     * eighth power.
     */
    double raised(double squaredLength) {
        double x = squaredLength / unit;
        double square = x * x;
        double fourth = square * square;
        return fourth * fourth;
    }

    /** Returns a bound on the largest ‖Xx‖², up to rounding, from the sum of what {@link #raised} makes of all. */
    public double largest(double sum) {
        return unit * Math.sqrt(Math.sqrt(Math.sqrt(sum)));
    }

    /**
     * Returns a bound on how far XHXᵀ may be from the identity, including the rounding of H and of this computation.
     *
     * @param hessian its lower triangle, d × d row by row
     * @param samples the number of rows that it is a sum over
     */
    public double misfit(double[] hessian, long samples) {
        int d = scales.length;
        double[] x = inverse;
        double[] whole = new double[d * d];
        double[] columns = new double[d * d];
        for (int a = 0; a < d; a++) {
            for (int b = 0; b <= a; b++) {
                whole[a * d + b] = hessian[a * d + b];
                whole[b * d + a] = hessian[a * d + b];
                columns[b * d + a] = x[a * d + b];
            }
        }
        double[] product = new double[d];
        double[] sums = new double[d];
        double squares = 0;
        double sizes = 0;
        for (int i = 0; i < d; i++) {
            // Row i of XH, then of XHXᵀ up to the diagonal.
            double size = 0;
            Arrays.fill(product, 0);
            Arrays.fill(sums, 0);
            for (int a = 0; a <= i; a++) {
                addScaled(x[i * d + a], whole, a * d, product, 0, d);
                size += scales[a] > 0 ? Math.abs(x[i * d + a]) / scales[a] : 0;
            }
            sizes += size * size;
            for (int c = 0; c <= i; c++) {
                addScaled(product[c], columns, c * d, sums, c, i + 1);
            }
            for (int j = 0; j <= i; j++) {
                double off = i == j && scales[i] > 0 ? sums[j] - 1 : sums[j];
                squares += (i == j ? 1 : 2) * off * off;
            }
        }
        return (1 + 0x1p-20) * (Math.sqrt(squares) + (samples + 4.0 * d + OPERATIONS) * Rounding.UNIT * sizes);
    }

    private static void addScaled(double factor, double[] from, int at, double[] to, int first, int end) {
        for (int k = first; k < end; k++) {
            to[k] = Math.fma(factor, from[at + k], to[k]);
        }
    }
}
