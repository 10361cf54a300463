package dev.starling.method.newton;

import dev.starling.loss.Loss;
import dev.starling.node.HiddenSum;
import dev.starling.problem.Rounding;

/**
 * A bound on the distance from the optimum that needs no regulariser, for losses whose curvature changes slowly, |ℓ'''|
 * ≤ M ℓ''. With ν² = gᵀH⁻¹g and B no less than any ‖x‖ in the norm of H⁻¹, and a = MBν below 1, the objective is at
 * most (a + (1 − a) ln(1 − a))/(MB)² ≈ ν²/2 above the optimum, and θ at most −ln(1 − a)/(MB) from it in the norm of H.
 * Derived, with what rounding adds, in docs/correctness.md.
 *
 * @param gap ν²/2 as computed
 * @param bound the bound on what the objective exceeds the optimum by, in exact arithmetic; infinite if there is none
 * @param distance the bound on how far θ is from the optimum, in the norm of H; infinite if there is none
 */
record CurvatureProof(double gap, double bound, double distance) {

    /** Leverages are raised to this power, so that their sum tells nearly of the largest. */
    static final int POWER = 8;

    /** What nothing is proven by. */
    static final CurvatureProof NONE =
            new CurvatureProof(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** Roundings of one entry that are not additions of rows, with room to spare. */
    private static final int OPERATIONS = 64;

    /** Where the Hessian is known less well than this, relatively, nothing is proven. */
    private static final double WORST_HESSIAN = 0.125;

    /**
     * The bound at the point of two passes, one that summed up the Hessian and one for the proof.
     *
     * @param hessian of the objective, its lower half, d × d by rows; zeros for what is left out
     * @param sums the totals of the second pass
     * @param gradient of the objective, by the second pass
     * @param shrinkage what rounding may have added to the part of the gradient that the regulariser makes, in units of
     *     the features' scales
     * @param samples of all nodes
     */
    static CurvatureProof of(
            PassLayout layout,
            Loss loss,
            ProofBasis basis,
            double[] hessian,
            double[] sums,
            double[] gradient,
            double shrinkage,
            long samples) {
        if (HiddenSum.isTooLarge(sums)) {
            return NONE;
        }
        int d = layout.features();
        double weight = sums[NewtonPass.WEIGHT];
        double slowness = loss.selfConcordance();
        double misfit = misfit(basis, hessian, d, samples);
        double drift = slowness * sums[layout.proof() + ProofPass.DISTANCES] + OPERATIONS * Rounding.UNIT;
        double least = (1 - misfit) * (1 - drift);
        if (!(misfit < WORST_HESSIAN && drift < WORST_HESSIAN)) {
            return NONE;
        }
        double squares = 0;
        double rounded = 0;
        for (int b = 0; b < d; b++) {
            double sum = 0;
            double size = 0;
            for (int a = 0; a <= b; a++) {
                double part = basis.inverse()[b * d + a] * gradient[a];
                sum += part;
                size += Math.abs(part);
            }
            squares += sum * sum;
            rounded += size * size;
        }
        double scaledError = sums[layout.proof() + ProofPass.SCALED_ERROR] / weight;
        double nu = (1 + OPERATIONS * Rounding.UNIT)
                * (Math.sqrt(squares)
                        + (d + OPERATIONS) * Rounding.UNIT * Math.sqrt(rounded)
                        + basis.length() * (scaledError + shrinkage))
                / Math.sqrt(least);
        double longest = slowness == 0
                ? 0
                : basis.unit() * Math.pow(sums[layout.proof() + ProofPass.LEVERAGES], 1.0 / POWER) / least;
        double a = slowness * (1 + 0x1p-20) * Math.sqrt(longest) * nu;
        if (!(a < 1)) {
            return new CurvatureProof(squares / 2, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        // All coefficients of the two series after the first are at most these.
        double bound = nu * nu / 2 * (1 + a / (3 * (1 - a)));
        double distance = nu * (1 + a / (2 * (1 - a)));
        return new CurvatureProof(squares / 2, (1 + 0x1p-40) * bound, (1 + 0x1p-40) * distance);
    }

    /** How far XHXᵀ may be from the identity, whatever rounding did to H and to this. */
    private static double misfit(ProofBasis basis, double[] hessian, int d, long samples) {
        double[] x = basis.inverse();
        double[] product = new double[d];
        double squares = 0;
        double sizes = 0;
        for (int i = 0; i < d; i++) {
            // Row i of XH, then of XHXᵀ up to the diagonal.
            double size = 0;
            for (int c = 0; c < d; c++) {
                double sum = 0;
                for (int a = 0; a <= i; a++) {
                    sum = Math.fma(x[i * d + a], hessian[Math.max(a, c) * d + Math.min(a, c)], sum);
                }
                product[c] = sum;
                size += c <= i && basis.scales()[c] > 0 ? Math.abs(x[i * d + c]) / basis.scales()[c] : 0;
            }
            sizes += size * size;
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int c = 0; c <= j; c++) {
                    sum = Math.fma(product[c], x[j * d + c], sum);
                }
                double off = i == j && basis.scales()[i] > 0 ? sum - 1 : sum;
                squares += (i == j ? 1 : 2) * off * off;
            }
        }
        return (1 + 0x1p-20) * (Math.sqrt(squares) + (samples + 4.0 * d + OPERATIONS) * Rounding.UNIT * sizes);
    }
}
