package dev.starling.problem;

import dev.starling.loss.Loss;

/**
 * Everything that the other nodes must know about a node's data to tune the algorithm: a handful of numbers, no rows.
 *
 * <p>For a loss with kinks (points where its slope jumps), L_ij is infinite and samples are drawn uniformly: their
 * roots count as 1, so {@code rootSum} is the number of samples that are not all zero.
 *
 * @param samples m_i, the number of samples
 * @param weight the sum of their weights
 * @param sigma σ_i, the node's share of the regulariser
 * @param rootSum S_i = Σ_j √(1 + L_ij/σ_i) over samples that are not all zero
 * @param smallestRoot min_j √(1 + L_ij/σ_i) over the same samples
 * @param smoothnessSum Σ_j L_ij
 * @param curvature M_i = λ_max(Σ_j w_ij β x_ij x_ijᵀ)
 */
public record Conditioning(
        long samples,
        double weight,
        double sigma,
        double rootSum,
        double smallestRoot,
        double smoothnessSum,
        double curvature) {

    /** Computes the facts of a node. */
    public static Conditioning of(LocalProblem problem) {
        Loss loss = problem.loss();
        if (loss.smoothness(1) == Double.POSITIVE_INFINITY
                || !problem.regulariser().isSmooth()) {
            return uniform(problem);
        }
        double largest = 0;
        double rootSum = 0;
        double smallestRoot = Double.POSITIVE_INFINITY;
        double smoothnessSum = 0;
        for (int j = 0; j < problem.samples(); j++) {
            double smoothness = loss.smoothness(problem.data().label(problem.row(j)));
            largest = Math.max(largest, smoothness);
            double sampleSmoothness =
                    smoothness * problem.weight(j) * problem.data().squaredNorm(problem.row(j));
            if (sampleSmoothness > 0) {
                double root = Math.sqrt(1 + sampleSmoothness / problem.sigma());
                rootSum += root;
                smallestRoot = Math.min(smallestRoot, root);
                smoothnessSum += sampleSmoothness;
            }
        }
        if (rootSum == 0) {
            smallestRoot = 1;
            rootSum = 1;
        }
        double curvature = Math.min(smoothnessSum, largest * Curvature.largestEigenvalue(problem));
        return new Conditioning(
                problem.samples(),
                problem.totalWeight(),
                problem.sigma(),
                rootSum,
                smallestRoot,
                smoothnessSum,
                curvature);
    }

    /** The facts of a node for a method that draws its samples uniformly and needs no smoothness. */
    public static Conditioning uniform(LocalProblem problem) {
        long nonZero = 0;
        for (int j = 0; j < problem.samples(); j++) {
            if (problem.data().squaredNorm(problem.row(j)) > 0) {
                nonZero++;
            }
        }
        double infinite = Double.POSITIVE_INFINITY;
        double count = Math.max(1, nonZero);
        return new Conditioning(
                problem.samples(), problem.totalWeight(), problem.sigma(), count, 1, infinite, infinite);
    }

    /** The facts of the same samples for a method that draws them uniformly and needs no smoothness. */
    public Conditioning uniform() {
        double infinite = Double.POSITIVE_INFINITY;
        return new Conditioning(samples, weight, sigma, Math.max(1, samples), 1, infinite, infinite);
    }

    /**
     * The facts of the same samples with another share of the regulariser. S is then an upper bound: with t = σ'/σ and
     * r = √(1 + L/σ), r'² = 1 − 1/t + r²/t is at most (√(1 − 1/t) + r/√t)², or r²/t if t &lt; 1; and for a given ΣL, S
     * is largest if all samples have the same L, where it is √(m² + m ΣL/σ').
     */
    public Conditioning withSigma(double newSigma) {
        double growth = newSigma / sigma;
        double rest = Math.max(0, 1 - 1 / growth);
        double count = samples;
        double newRootSum = Math.min(
                count * Math.sqrt(rest) + rootSum / Math.sqrt(growth),
                Math.sqrt(count * count + count * smoothnessSum / newSigma));
        double newSmallest = Math.sqrt(Math.max(1, 1 + (smallestRoot * smallestRoot - 1) / growth));
        return new Conditioning(samples, weight, newSigma, newRootSum, newSmallest, smoothnessSum, curvature);
    }

    /**
     * Returns a copy with M_i multiplied by a factor, but at most Σ_j L_ij, which it cannot exceed.
     *
     * @param factor 1 or more
     */
    public Conditioning withCurvatureTimes(double factor) {
        return new Conditioning(
                samples,
                weight,
                sigma,
                rootSum,
                smallestRoot,
                smoothnessSum,
                Math.min(smoothnessSum, factor * curvature));
    }

    /**
     * The facts for a loss with a smaller β. S is then an upper bound, as for another share of the regulariser.
     *
     * @param factor what β is divided by, 1 or more
     */
    public Conditioning withSmoothnessOver(double factor) {
        if (factor == 1) {
            return this;
        }
        // The roots depend only on L/σ.
        Conditioning roots = withSigma(factor * sigma);
        return new Conditioning(
                samples, weight, sigma, roots.rootSum, roots.smallestRoot, smoothnessSum / factor, curvature / factor);
    }

    /** κ_b of this node: (σ + M)/σ, the conditioning that a batch method sees. */
    public double batchConditioning() {
        return (sigma + curvature) / sigma;
    }

    /** κ_s of this node: 1 + Σ_j L_ij/σ, the conditioning that a stochastic method sees. */
    public double stochasticConditioning() {
        return 1 + smoothnessSum / sigma;
    }
}
