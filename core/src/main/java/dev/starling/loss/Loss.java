package dev.starling.loss;

/**
 * A convex function ℓ(u; y) of the margin u = xᵀθ and the label y.
 *
 * <p>A loss of your own needs {@link #name}, {@link #value}, {@link #derivative}, {@link #isClassification} and, unless
 * it has kinks, {@link #smoothness}; the rest has correct defaults, which the losses of this package replace by closed
 * forms. If ℓ' is bounded, say so in {@link #smallestSlope} and {@link #largestSlope}. Implementations hold no state
 * that changes.
 *
 * <p>A sample of weight w has the loss w·ℓ: its value is w times {@link #value}, its proximal point is {@link #prox}
 * with w times the step, its conjugate at s is w times {@link #conjugate} at s/w.
 */
public interface Loss {

    /** The largest number of samples that {@link #evaluate} takes at once. */
    int BLOCK = 256;

    /** What the loss is called in settings and model files, parameters included: {@code huber(1.0)}. */
    String name();

    /** ℓ(u; y). */
    double value(double margin, double label);

    /** ℓ'(u; y); any subgradient where ℓ has a kink. */
    double derivative(double margin, double label);

    /**
     * ℓ''(u; y), or one of its generalised values where ℓ' has a kink: what Newton steps are made of. The default is a
     * symmetric difference of {@link #derivative}, good to about ten digits.
     */
    default double curvature(double margin, double label) {
        double step = 0x1p-17 * Math.max(1, Math.abs(margin));
        return (derivative(margin + step, label) - derivative(margin - step, label)) / (2 * step);
    }

    /**
     * The losses of many samples at once: writes w·ℓ' and w·ℓ'' of each and returns the sum of all w·ℓ. One call can
     * share work between the three, and between samples, none of which waits for another.
     *
     * @param count the number of samples, at most {@value #BLOCK}
     * @param weights w of each sample; null if all are 1
     */
    default double evaluate(
            int count, double[] margins, double[] labels, double[] weights, double[] slopes, double[] curvatures) {
        double sum = 0;
        for (int k = 0; k < count; k++) {
            double weight = weights == null ? 1 : weights[k];
            sum += weight * value(margins[k], labels[k]);
            slopes[k] = weight * derivative(margins[k], labels[k]);
            curvatures[k] = weight * curvature(margins[k], labels[k]);
        }
        return sum;
    }

    /** β, the Lipschitz constant of ℓ'. Infinite, as for a loss with kinks, unless a loss says otherwise. */
    default double smoothness() {
        return Double.POSITIVE_INFINITY;
    }

    /**
     * The least M with |ℓ'''| ≤ M ℓ'': how fast the curvature changes, by which it bounds how far a point is from an
     * optimum without a regulariser. Infinite unless a loss says otherwise.
     */
    default double selfConcordance() {
        return Double.POSITIVE_INFINITY;
    }

    /** Whether labels are two classes, given to the loss as −1 and +1, rather than real numbers. */
    boolean isClassification();

    /** The infimum of ℓ'(·; y): where the domain of ℓ* begins. Minus infinity unless a loss says otherwise. */
    default double smallestSlope(double label) {
        return Double.NEGATIVE_INFINITY;
    }

    /** The supremum of ℓ'(·; y): where the domain of ℓ* ends. Infinity unless a loss says otherwise. */
    default double largestSlope(double label) {
        return Double.POSITIVE_INFINITY;
    }

    /**
     * The proximal point argmin over m of step · ℓ(m; y) + (m − point)²/2.
     *
     * @param step zero or more
     * @param start a guess to begin from; it changes the time taken, not the answer beyond rounding
     */
    default double prox(double point, double step, double label, double start) {
        return MonotoneRoot.prox(this, point, step, label, start);
    }

    /**
     * The subgradient s ∈ ∂ℓ(m; y) at the proximal point m = point − step · s: what a dual coordinate step needs. Lies
     * in the domain of the conjugate whatever the rounding.
     *
     * @param step zero or more
     * @param start a guess of m to begin from; it changes the time taken, not the answer beyond rounding
     */
    default double proxSlope(double point, double step, double label, double start) {
        double margin = prox(point, step, label, start);
        // Rounding m costs β ulp(m) in the derivative and ulp(m)/step in the quotient. With step 0 the product is zero
        // or NaN, and there is only the derivative.
        if (!(step * smoothness() > 1)) {
            return clamp(derivative(margin, label), label);
        }
        double quotient = (point - margin) / step;
        if (Double.isInfinite(smoothness())) {
            // The quotient picks a subgradient at a kink; elsewhere both sides agree and leave it no choice.
            double below = derivative(Math.nextDown(margin), label);
            double above = derivative(Math.nextUp(margin), label);
            quotient = Math.min(Math.max(quotient, below), above);
        }
        return clamp(quotient, label);
    }

    /**
     * As {@link #proxSlope(double, double, double, double)}, for those who know the slope at the start as well.
     *
     * @param startSlope ℓ'(start; y), or nearly: like the start it changes the time taken, not the answer
     */
    default double proxSlope(double point, double step, double label, double start, double startSlope) {
        return proxSlope(point, step, label, start);
    }

    /**
     * ℓ*(s; y) = sup over u of s·u − ℓ(u; y); infinite outside its domain.
     *
     * <p>The default finds where ℓ' crosses s and returns a bound from above that is tight to rounding, so that a
     * duality gap made with it is never too small. At an end of the domain, where ℓ' only tends to s, it is the limit
     * of s·u − ℓ(u; y), which may be infinite.
     */
    default double conjugate(double slope, double label) {
        return MonotoneRoot.conjugate(this, slope, label);
    }

    /** The point of the domain of ℓ* nearest to a slope: where rounding may have pushed it out. */
    default double clamp(double slope, double label) {
        return Math.min(Math.max(slope, smallestSlope(label)), largestSlope(label));
    }
}
