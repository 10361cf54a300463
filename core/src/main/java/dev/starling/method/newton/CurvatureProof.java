package dev.starling.method.newton;

import dev.starling.node.HiddenSum;
import dev.starling.objective.PassLayout;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Smoothness;
import dev.starling.problem.Rounding;

/**
 * A bound on the distance from the optimum that needs no regulariser, for losses whose curvature changes slowly, |ℓ'''|
 * ≤ M ℓ''. Let ν² = gᵀH⁻¹g, let B be at least ‖x‖ in the norm of H⁻¹ for every row x, and let a = MBν be less than 1.
 * Then the objective is at most (a + (1 − a) ln(1 − a))/(MB)² ≈ ν²/2 above the optimum, and θ at most −ln(1 − a)/(MB)
 * from it in the norm of H. docs/correctness.md has the derivation, including the effect of rounding.
 *
 * @param gap ν²/2 as computed
 * @param bound an upper bound on the objective minus the optimum, in exact arithmetic; infinite if there is none
 * @param distance an upper bound on the distance of θ from the optimum, in the norm of H; infinite if there is none
 */
record CurvatureProof(double gap, double bound, double distance) {

    /** A proof of nothing. */
    static final CurvatureProof NONE =
            new CurvatureProof(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** The number of roundings in one entry that are not additions of rows, with room to spare. */
    private static final int OPERATIONS = 64;

    /** If the relative error of the Hessian may be greater than this, nothing is proven. */
    private static final double WORST_HESSIAN = 0.125;

    /**
     * Returns the bound at a point where two passes were made, one for the Hessian and one for the proof.
     *
     * @param hessian the Hessian of the objective, its lower triangle, d × d row by row; zeros for features that are
     *     left out
     * @param sums the totals of the second pass
     * @param gradient the gradient of the objective, from the second pass
     * @param shrinkage a bound on what rounding may have added to the regulariser's part of the gradient, in units of
     *     the features' scales
     * @param samples the number of samples of all nodes
     */
    static CurvatureProof of(
            PassLayout layout,
            Smoothness smoothness,
            ProofBasis basis,
            double[] hessian,
            double[] sums,
            double[] gradient,
            double shrinkage,
            long samples) {
        if (HiddenSum.isTooLarge(sums)) {
            return NONE;
        }
        int d = layout.parameters();
        double weight = sums[PassLayout.WEIGHT];
        double selfConcordance = smoothness.selfConcordance();
        double misfit = misfit(basis, hessian, d, samples);
        double drift = selfConcordance * sums[layout.proof() + PassLayout.DISTANCES] + OPERATIONS * Rounding.UNIT;
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
        double scaledError = sums[layout.proof() + PassLayout.SCALED_ERROR] / weight;
        double nu = (1 + OPERATIONS * Rounding.UNIT)
                * (Math.sqrt(squares)
                        + (d + OPERATIONS) * Rounding.UNIT * Math.sqrt(rounded)
                        + basis.length() * (scaledError + shrinkage))
                / Math.sqrt(least);
        double longest = selfConcordance == 0 ? 0 : basis.largest(sums[layout.proof() + PassLayout.LEVERAGES]) / least;
        double a = selfConcordance * (1 + 0x1p-20) * Math.sqrt(longest) * nu;
        if (!(a < 1)) {
            return new CurvatureProof(squares / 2, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        // In both series, all coefficients after the first are at most the ones used here.
        double bound = nu * nu / 2 * (1 + a / (3 * (1 - a)));
        double distance = nu * (1 + a / (2 * (1 - a)));
        return new CurvatureProof(squares / 2, (1 + 0x1p-40) * bound, (1 + 0x1p-40) * distance);
    }

    /**
     * Returns a bound on how far XHXᵀ may be from the identity, including the rounding of H and of this computation.
     */
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
