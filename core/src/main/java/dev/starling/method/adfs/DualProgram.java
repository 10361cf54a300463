package dev.starling.method.adfs;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.LocalProblem;

/**
 * A node program that keeps a dual scalar s per sample, so that its state can be certified by a duality gap at any
 * moment.
 */
public interface DualProgram extends EstimatingProgram {

    /** The data and loss of this node. */
    LocalProblem problem();

    /**
     * The dual scalar s of a sample at this moment, inside the domain of the conjugate of the weighted loss up to
     * rounding.
     */
    double slope(int sample);

    /** Steps taken so far, the same number at every node whenever all have absorbed the same round. */
    long steps();

    /** Proximal steps taken so far at this node. */
    long updates();

    /** Communication rounds so far. */
    long rounds();

    /**
     * Makes every later draw of a sample independent of all others, as the theory of the rate has it. Programs that
     * draw so anyway need do nothing.
     */
    default void drawIndependently() {}

    /**
     * Begins anew from where it is, with the constants that a belief gives; programs whose constants are fixed do
     * nothing.
     */
    default void adopt(Belief belief) {}

    /**
     * Begins at the slopes that the losses have at a parameter, instead of at none; before the first step. Near the
     * optimum these are nearly the optimal dual scalars. What neighbours had agreed on is not part of a parameter and
     * is found anew.
     */
    default void beginAt(double[] theta) {}

    /** Gives every sample the slope s of its loss at a parameter, and returns Σ s x. */
    static double[] slopesAt(double[] theta, LocalProblem problem, SlopeTaker taker) {
        Dataset data = problem.data();
        Loss loss = problem.loss();
        double[] sum = new double[problem.features()];
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            double label = data.label(row);
            double slope = data.weight(row) * loss.clamp(loss.derivative(data.dot(row, theta), label), label);
            taker.take(j, slope);
            data.addTo(row, slope, sum);
        }
        return sum;
    }

    /** Takes the dual scalar of a sample. */
    interface SlopeTaker {
        /** The sample's dual scalar is this. */
        void take(int sample, double slope);
    }
}
