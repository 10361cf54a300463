package dev.starling.method.adfs.certified;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.LocalProblem;

/**
 * A node program that keeps a dual scalar s per sample, so that its state can be certified by a duality gap at any
 * time.
 */
public interface DualProgram extends EstimatingProgram {

    /** Returns the data and loss of this node. */
    LocalProblem problem();

    /**
     * Returns the current dual scalar s of a sample, which is in the domain of the conjugate of the weighted loss up to
     * rounding.
     */
    double slope(int sample);

    /** Returns the number of steps so far, the same on every node whenever all have absorbed the same round. */
    long steps();

    /** Returns the number of proximal steps that this node has taken so far. */
    long updates();

    /** Returns the number of communication rounds so far. */
    long rounds();

    /**
     * Makes every later draw of a sample independent of all others, as the theory assumes. Programs that do so anyway
     * need not override this.
     */
    default void drawIndependently() {}

    /**
     * Continues from the current point with the constants of a new belief; programs whose constants are fixed do
     * nothing.
     */
    default void adopt(Belief belief) {}

    /**
     * Starts at the slopes that the losses have at a parameter, instead of at zero; to be called before the first step.
     * Near the optimum these are nearly the optimal dual scalars. What neighbours had agreed on is not part of a
     * parameter and has to be found again.
     */
    default void beginAt(double[] theta) {}

    /** Passes the slope s of every sample's loss at a parameter to a consumer, and returns Σ s x. */
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

    /** Receives the dual scalar of each sample. */
    interface SlopeTaker {
        /** Receives the dual scalar of a sample. */
        void take(int sample, double slope);
    }
}
