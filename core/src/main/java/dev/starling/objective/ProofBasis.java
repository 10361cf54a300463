package dev.starling.objective;

import dev.starling.internal.Cholesky;

/**
 * The basis in which nodes measure their rows for a proof: an inverse X of a factor of the Hessian, XᵀX ≈ H⁻¹, and the
 * scale of every feature. The entries of features that are left out are 0.
 *
 * @param inverse X, lower triangular, d × d row by row
 * @param scales 1/√H_cc
 * @param length ‖X/scales‖, in the Frobenius norm
 * @param unit the number that squared lengths ‖Xx‖² are divided by before they are raised to a power
 * @param leverages whether those lengths are needed at all
 */
public record ProofBasis(double[] inverse, double[] scales, double length, double unit, boolean leverages) {

    private static final double SCALE_OF_LEVERAGES = 1024;

    /**
     * Returns the basis for a Hessian.
     *
     * @param hessian d × d row by row; zeros for features that are left out
     * @param factor its factor, with ones on the diagonal for features that are left out
     */
    public static ProofBasis of(double[] hessian, double[] factor, boolean[] leftOut, boolean leverages) {
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
        return new ProofBasis(inverse, scales, length, SCALE_OF_LEVERAGES * Math.max(1, kept), leverages);
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
}
