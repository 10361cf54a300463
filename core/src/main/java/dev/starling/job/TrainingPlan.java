package dev.starling.job;

import dev.starling.method.Facts;
import dev.starling.method.Shape;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import java.util.List;

/**
 * Everything that is fixed before the first step: the network, what the nodes know of each other, and the method with
 * the constants that follow from it.
 *
 * @param network the graph
 * @param shape the rows of all nodes
 * @param facts what the nodes tell each other of their rows, node by node
 * @param method the method, with its constants
 * @param targetGap the relative gap asked for
 */
public record TrainingPlan(Network network, Shape shape, List<Facts> facts, Tuned method, double targetGap) {

    /** Copies the list of facts. */
    public TrainingPlan {
        facts = List.copyOf(facts);
    }

    /** Samples of all nodes. */
    public long samples() {
        return shape.rows();
    }

    /** Passes over the samples that are predicted until the gap asked for, from a relative gap of one. */
    public double predictedEpochs() {
        return method.forecast().epochsFor(1 / targetGap);
    }

    /** Idealised time that is predicted until the gap asked for. */
    public double predictedIdealisedTime() {
        return method.forecast().idealisedTimeFor(1 / targetGap);
    }

    /** Passes that are predicted from a relative gap to the one asked for. */
    double epochsFrom(double gap) {
        return method.forecast().epochsFor(Math.max(1, gap / targetGap));
    }

    @Override
    public String toString() {
        return "TrainingPlan[" + method.name() + " on " + network + ", " + shape.rows() + " rows × " + shape.features()
                + " features, to a gap of " + targetGap + "]";
    }
}
