package dev.starling.algorithm;

import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.NodeFacts;
import dev.starling.problem.Regulariser;
import dev.starling.theory.NonSmoothTuning;
import dev.starling.theory.Pace;
import dev.starling.theory.Tuning;
import java.util.List;

/**
 * The one place where training picks its method: S-ADFS for a smooth loss and regulariser, NS-ADFS where either has
 * kinks.
 */
public final class Algorithms {

    private Algorithms() {}

    /** The parameters of the method that trains with a loss, from what all nodes know of each other. */
    public static Pace tune(Loss loss, Network network, List<NodeFacts> facts, double delay) {
        return loss.smoothness() < Double.POSITIVE_INFINITY
                ? Tuning.of(network, facts, delay)
                : NonSmoothTuning.of(network, facts, delay);
    }

    /** The parameters of the method that trains with a loss and a regulariser. */
    public static Pace tune(Loss loss, Regulariser regulariser, Network network, List<NodeFacts> facts, double delay) {
        return regulariser.isSmooth() ? tune(loss, network, facts, delay) : NonSmoothTuning.of(network, facts, delay);
    }

    /** A node at the start of its run, with the method that the parameters of {@link #tune} are for. */
    public static DualProgram program(
            LocalProblem problem, NodeFacts facts, Network network, int node, Pace pace, long seed) {
        if (pace instanceof Tuning tuning) {
            return new Adfs(problem, facts, network, node, tuning, seed);
        }
        if (pace instanceof NonSmoothTuning tuning) {
            return new NonSmoothAdfs(problem, facts, network, node, tuning, seed);
        }
        throw new IllegalArgumentException("no method trains with " + pace);
    }
}
