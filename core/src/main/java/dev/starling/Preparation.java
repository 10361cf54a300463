package dev.starling;

import dev.starling.method.Method;
import dev.starling.method.Solver;
import dev.starling.method.adfs.Pace;
import dev.starling.network.Network;
import dev.starling.problem.NodeFacts;
import java.util.List;

/**
 * Everything that is fixed before the first step: the network, what the nodes know of each other, and the tuning that
 * follows from it.
 *
 * @param network the graph
 * @param facts what the nodes tell each other of their data, node by node
 * @param method the method that was chosen, never {@link Method#AUTO}
 * @param tuning the parameters of the algorithm
 * @param targetGap the relative gap asked for
 */
public record Preparation(Network network, List<NodeFacts> facts, Method method, Pace tuning, double targetGap) {

    /** Copies the list of facts. */
    public Preparation {
        facts = List.copyOf(facts);
    }

    /** What nodes agreed on, and the gap that they are after. */
    public static Preparation of(Solver.Agreement agreement, double targetGap) {
        return new Preparation(agreement.network(), agreement.facts(), agreement.method(), agreement.pace(), targetGap);
    }

    /** Samples of all nodes. */
    public long samples() {
        return facts.stream().mapToLong(NodeFacts::samples).sum();
    }

    /** Steps that theory predicts until the gap asked for, from a relative gap of one. */
    public double predictedSteps() {
        return tuning.stepsFor(1 / targetGap);
    }

    /** Proximal steps per sample in so many steps. */
    public double epochs(double steps) {
        return steps * tuning.computationProbability() * network.size() / samples();
    }

    /** Idealised time of so many steps. */
    public double idealisedTime(double steps) {
        return steps * (tuning.computationProbability() + tuning.delay() * tuning.communicationProbability());
    }
}
