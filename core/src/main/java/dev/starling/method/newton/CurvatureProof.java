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
 * <p>Without such an M, a bound on third derivatives near the point does the same, if that is close enough to an
 * optimum.
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
        double misfit = basis.misfit(hessian, samples);
        boolean local = !smoothness.isSelfConcordant();
        double drift = (local
                        ? sums[layout.proof() + PassLayout.DISTANCES] / weight
                        : selfConcordance * sums[layout.proof() + PassLayout.DISTANCES])
                + OPERATIONS * Rounding.UNIT;
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
        double squaredError = sums[layout.proof() + PassLayout.SQUARED_ERROR] / weight;
        double nu = (1 + OPERATIONS * Rounding.UNIT)
                * (Math.sqrt(squares)
                        + (d + OPERATIONS) * Rounding.UNIT * Math.sqrt(rounded)
                        + basis.length() * (scaledError + shrinkage)
                        + Rounding.UNIT * Math.sqrt(squaredError / least))
                / Math.sqrt(least);
        if (local) {
            double third = sums[layout.proof() + PassLayout.LEVERAGES] / (weight * least * Math.sqrt(least));
            return near(squares / 2, nu, (1 + 0x1p-20) * third, basis.radius() * Math.sqrt(least));
        }
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
     * The bound from third derivatives up to a radius, by Newton and Kantorovich: within the least distance t with ν −
     * t + Kt²/2 = 0 there is one stationary point, a local minimum.
     *
     * @param third K, a bound on third derivatives in the norm of H
     */
    private static CurvatureProof near(double gap, double nu, double third, double radius) {
        double inside = 1 - 2 * third * nu;
        double distance = 2 * nu / (1 + Math.sqrt(Math.max(0, inside)));
        if (!(inside > 0 && distance <= radius)) {
            return new CurvatureProof(gap, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        // The objective is at most νt − t²/2 + Kt³/6 above that, and νt − t²/2 = ν²/2 − (t − ν)²/2.
        double bound = nu * nu / 2 + third * distance * distance * distance / 6;
        return new CurvatureProof(gap, (1 + 0x1p-40) * bound, (1 + 0x1p-40) * distance);
    }
}
