package dev.starling.method.multipliers;

import dev.starling.node.Stateful;

/** Chooses the direction of steps from the Hessians and gradients of the smoothed problem. */
interface StepRule extends Stateful {

    /**
     * Uses a new Hessian from now on.
     *
     * @param hessian its lower triangle, d × d row by row; copied
     */
    void take(double[] hessian);

    /**
     * Overwrites {@code direction} with that of the next step and returns the slope of the smoothed problem along it at
     * the start. If the slope is not negative, there is no way down.
     */
    double computeDirection(double[] theta, double[] gradient, double objective, double[] direction);

    /** Updates the approximate Hessian with a step that was made. */
    void remember(double[] from, double[] to, double[] gradientFrom, double[] gradientTo);

    /** Forgets such steps, because the problem has changed. */
    void forget();
}
