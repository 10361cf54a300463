package dev.starling.lab.baseline.gossip;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.lab.baseline.node.WeightedDraw;
import java.util.Arrays;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * Gradients of a node's function from a few samples and a point w at which all slopes are known: s = ∇f(w) + the mean
 * over b draws of (∇f_ij(y) − ∇f_ij(w))/p_ij with p_ij ∝ L_ij, the regulariser exactly. Its mean is ∇f(y), and its
 * variance vanishes where y and w meet.
 */
public final class Snapshot {

    private final Samples samples;
    private final RestorableUniformRandomProvider own;
    private final WeightedDraw draw;
    private final double[] inverseProbabilities;
    private final double[] slopes;
    private final double[] slopeSum;

    /** w. */
    final double[] point;

    Snapshot(BaselineProgram program, Samples samples, RestorableUniformRandomProvider own) {
        this.samples = samples;
        this.own = program.stream(own);
        this.inverseProbabilities = new double[samples.count()];
        this.draw = new WeightedDraw(probabilities());
        this.slopes = program.vector(samples.count());
        this.slopeSum = program.vector(samples.features());
        this.point = program.vector(samples.features());
    }

    /** p_ij: samples that are all zero are never drawn unless all are. */
    private double[] probabilities() {
        double[] weights = new double[samples.count()];
        double sum = 0;
        for (int j = 0; j < weights.length; j++) {
            weights[j] = samples.smoothness(j);
            sum += weights[j];
        }
        for (int j = 0; j < weights.length; j++) {
            weights[j] = sum > 0 ? weights[j] / sum : 1;
            inverseProbabilities[j] = 1 / weights[j];
        }
        return weights;
    }

    /** Moves w, at the price of a pass over the samples. */
    void take(double[] at) {
        Vectors.copy(at, point);
        Arrays.fill(slopeSum, 0);
        for (int j = 0; j < slopes.length; j++) {
            slopes[j] = samples.slope(j, samples.dot(j, point));
            samples.add(j, slopes[j], slopeSum);
        }
    }

    /** Writes s for a number b of draws. */
    void gradient(double[] y, double sigma, int batch, double[] gradient) {
        for (int c = 0; c < y.length; c++) {
            gradient[c] = sigma * y[c] + slopeSum[c];
        }
        for (int k = 0; k < batch; k++) {
            int j = draw.draw(own);
            double change = samples.slope(j, samples.dot(j, y)) - slopes[j];
            samples.add(j, change * inverseProbabilities[j] / batch, gradient);
        }
    }
}
