package dev.starling.method.newton;

/**
 * What nodes measure their rows with for a proof: an inverse X of a factor of the Hessian, XᵀX ≈ H⁻¹, and the scale of
 * every feature. Features that are left out have zeros.
 *
 * @param inverse X, lower triangular, d × d by rows
 * @param scales 1/√H_cc
 * @param length ‖X/scales‖, in the Frobenius norm
 * @param unit what squared lengths ‖Xx‖² are divided by before they are raised to a power
 * @param leverages whether those lengths are wanted at all
 */
record ProofBasis(double[] inverse, double[] scales, double length, double unit, boolean leverages) {}
