package dev.starling.lab.general;

/**
 * A convex and smooth function f of the whole parameter vector, given by its gradient and its proximal operator: one of
 * a node's summands if the model is not linear.
 *
 * <p>Implementations have no mutable state and give the same bits wherever they run.
 */
public interface ProximalFunction {

    /** f(θ). */
    double value(double[] theta);

    /** Writes ∇f(θ). */
    void gradient(double[] theta, double[] into);

    /**
     * Writes the proximal point argmin over θ of step · f(θ) + ‖θ − point‖²/2.
     *
     * @param step more than zero
     * @param into may not be {@code point}
     */
    void prox(double[] point, double step, double[] into);

    /** L, the Lipschitz constant of ∇f; positive and finite. */
    double smoothness();
}
