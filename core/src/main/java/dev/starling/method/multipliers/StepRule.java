package dev.starling.method.multipliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Where steps lead, by what Hessians and gradients have told of the smoothed problem. */
interface StepRule {

    /**
     * Takes in a Hessian.
     *
     * @param hessian the lower half of it, by rows; not kept
     */
    void take(double[] hessian);

    /**
     * Overwrites the direction with that of the next step and returns how fast the smoothed problem changes along it at
     * first; what is not negative leads nowhere.
     */
    double direct(double[] theta, double[] gradient, double objective, double[] direction);

    /** Learns from a step that was made. */
    void remember(double[] from, double[] to, double[] gradientFrom, double[] gradientTo);

    /** Forgets such steps: the problem is another now. */
    void forget();

    void save(DataOutput out) throws IOException;

    void restore(DataInput in) throws IOException;
}
