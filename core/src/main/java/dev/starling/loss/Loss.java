package dev.starling.loss;

/**
 * A convex function ℓ(u; y) of the margin u = xᵀθ and the label y.
 *
 * <p>A loss of your own needs {@link #name}, {@link #value}, {@link #derivative} and {@link #smoothness}; the rest has
 * correct defaults, which the losses of this package replace by closed forms. Implementations hold no state that
 * changes.
 */
public interface Loss {

    /** What the loss is called on the command line and in model files, parameters included: {@code huber(1.0)}. */
    String name();

    /** ℓ(u; y). */
    double value(double margin, double label);

    /** ℓ'(u; y); any subgradient where ℓ has a kink. */
    double derivative(double margin, double label);

    /** β, the Lipschitz constant of ℓ'; infinite for a loss with kinks. */
    double smoothness();

    /** Whether labels are two classes, given to the loss as −1 and +1, rather than real numbers. */
    boolean isClassification();

    /**
     * The proximal point argmin over m of step · ℓ(m; y) + (m − point)²/2.
     *
     * @param start a guess to begin from; it changes the time taken, not the answer beyond rounding
     */
    double prox(double point, double step, double label, double start);

    /**
     * The subgradient s ∈ ∂ℓ(m; y) at the proximal point m = point − step · s: what a dual coordinate step needs. Lies in
     * the domain of the conjugate whatever the rounding.
     */
    double proxSlope(double point, double step, double label, double start);

    /** ℓ*(s; y) = sup over u of s·u − ℓ(u; y); infinite outside its domain. */
    double conjugate(double slope, double label);

    /** The point of the domain of ℓ* nearest to a slope: where rounding may have pushed it out. */
    double clamp(double slope, double label);
}
