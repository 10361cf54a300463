package dev.starling.job;

import dev.starling.method.Facts;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import java.util.List;

/**
 * Everything that is fixed before the first step: the network, what the nodes know about each other, and the method
 * with the constants that follow from that.
 *
 * @param network the graph
 * @param shape the shape of the rows of all nodes together
 * @param facts what each node tells the others about its rows, by node
 * @param method the method, with its constants
 * @param targetGap the requested relative gap
 */
public record TrainingPlan(Network network, Shape shape, List<Facts> facts, Tuned method, double targetGap) {

    /** A run takes about this share of what theory predicts. */
    private static final double USUAL_SHARE = 1.0 / 3;

    /** Copies the list of facts. */
    public TrainingPlan {
        facts = List.copyOf(facts);
    }

    /** The number of samples of all nodes. */
    public long samples() {
        return shape.rows();
    }

    /** The predicted number of passes over the samples from a relative gap of 1 to the requested one. */
    public double predictedEpochs() {
        return method.forecast().epochsFor(1 / targetGap);
    }

    /**
     * How many times more passes or rounds than a rule allows are predicted, if runs take the share of them that they
     * usually do; at most 1 if the run should end in time.
     */
    public double excess(StoppingRule rule) {
        double rounds = method.forecast().roundsFor(1 / targetGap);
        double samples = (double) samples() / network.size();
        return USUAL_SHARE * Math.max(predictedEpochs() / rule.maxEpochs(), rounds / rule.mostRounds(samples));
    }

    /** The predicted number of passes from a relative gap to the requested one. */
    double epochsFrom(double gap) {
        return method.forecast().epochsFor(Math.max(1, gap / targetGap));
    }

    @Override
    public String toString() {
        return "TrainingPlan[" + method.name() + " on " + network + ", " + shape.rows() + " rows × " + shape.features()
                + " features, to a gap of " + targetGap + "]";
    }
}
