package dev.starling.lab.bound;

/**
 * A lower bound on the time of any method (the paper's Theorem 1): Ω((m + √(mκ_s) + τ√(κ_ℓ/γ)) log 1/ε) for any method
 * that computes gradients or proximal points of one f_ij per unit of time and receives messages from its neighbours
 * after a delay τ. {@link WorstCase} has the functions that prove it.
 */
public final class LowerBound {

    private LowerBound() {}

    /**
     * (m + √(mκ_s) + τ√(κ_ℓ/γ)) log 1/ε, without the constant that Ω leaves open.
     *
     * @param functions m, the number of functions per node
     * @param stochasticConditioning κ_s, at least 1 + Σ_j L_ij/σ_i for every node
     * @param localConditioning κ_ℓ, at least L_i/σ_i for every node
     * @param spectralGap γ of the network's Laplacian, in (0, 1]
     * @param delay τ
     * @param precision ε, in (0, 1)
     */
    public static double time(
            double functions,
            double stochasticConditioning,
            double localConditioning,
            double spectralGap,
            double delay,
            double precision) {
        double computation = functions + Math.sqrt(functions * stochasticConditioning);
        double communication = delay == 0 ? 0 : delay * Math.sqrt(localConditioning / spectralGap);
        return (computation + communication) * StrictMath.log(1 / precision);
    }
}
