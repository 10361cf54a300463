package dev.starling.method;

import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;

/**
 * A way to find the optimum, known by one name to every runtime. Whichever it is, the optimum and the certificate mean
 * the same. {@link Methods} lists them all.
 */
public interface Method {

    /** What it is called in settings. */
    String name();

    /** What it is, in a line. */
    String description();

    /** Why it cannot take an objective, and what can; empty if it can. */
    Optional<String> objectionTo(Objective objective);

    /** The same once it is known how many rows and features there are. */
    default Optional<String> objectionTo(Objective objective, Shape shape) {
        return objectionTo(objective);
    }

    /** Whether it is a good choice for an objective that it can take, so that there is no need to look further. */
    boolean suits(Objective objective, Shape shape);

    /** Whether neighbours learn more of a node's rows than sums over all nodes. */
    default boolean tellsMoreThanSums() {
        return true;
    }

    /**
     * Every kind of sum over rows that training may ask of this method's nodes, so that a site can be told before it
     * takes part. Nodes whose rows have different owners add up no others. Empty if the method does not say.
     *
     * @param shape that of one site's own rows: only the number of features is certain to be everyone's
     */
    default List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return List.of();
    }

    /** Whether rows may have something added to their products with the weights, an offset. */
    default boolean takesShifts() {
        return false;
    }

    /** How many numbers of its own the others must know of a node. */
    int factCount();

    /** Those numbers, none of them negative. */
    double[] facts(LocalProblem problem);

    /**
     * Everything that follows from what all nodes know alike. A pure function: every node computes the same.
     *
     * @param facts what the nodes are, by node
     * @param delay τ, what a message costs when a proximal step costs 1
     */
    Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay);

    /** The same where nodes or edges differ in speed; a method that makes no use of that tunes for the usual delay. */
    default Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, Timing timing) {
        return tune(network, objective, shape, facts, timing.delay());
    }
}
