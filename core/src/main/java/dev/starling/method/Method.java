package dev.starling.method;

import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;

/**
 * An optimisation method, known to every runtime by one name. The optimum and the certificate mean the same whichever
 * method is used. {@link Methods} lists them all.
 */
public interface Method {

    /** Returns its name in settings. */
    String name();

    /** Describes it in one line. */
    String description();

    /** Returns the method with a parameter, which follows its name and a colon; empty if it takes none. */
    default Optional<Method> with(String parameter) {
        return Optional.empty();
    }

    /** Returns why it cannot take an objective, and which method can; empty if it can take it. */
    Optional<String> objectionTo(Objective objective);

    /** Like {@link #objectionTo(Objective)}, for when the numbers of rows and features are known. */
    default Optional<String> objectionTo(Objective objective, Shape shape) {
        return objectionTo(objective);
    }

    /**
     * Returns whether it is a good choice for an objective that it can take, so that there is no need to look further.
     */
    default boolean suits(Objective objective, Shape shape) {
        return true;
    }

    /** Returns whether that holds for several nodes, too. */
    default boolean suitsSeveralNodes() {
        return true;
    }

    /** Returns whether neighbours learn more about a node's rows than sums over all nodes. */
    default boolean tellsMoreThanSums() {
        return true;
    }

    /**
     * Every sum over rows that training may ask of this method's nodes, so that a site can be told before it takes
     * part. Nodes whose rows have different owners refuse all others.
     *
     * @param shape that of one site's own rows: only the number of features is certain to be everyone's
     */
    default List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return List.of();
    }

    /** Returns whether rows may have an offset, a number that is added to the row's product with the weights. */
    default boolean takesOffsets() {
        return false;
    }

    /** Returns whether a row may have several margins, one for each class. */
    default boolean takesSeveralOutputs() {
        return false;
    }

    /** Returns how many numbers specific to this method the other nodes must know about a node. */
    default int factCount() {
        return 0;
    }

    /** Returns those numbers for a node; none is negative. */
    default double[] facts(LocalProblem problem) {
        return new double[0];
    }

    /**
     * Tunes the method from what all nodes know. This is a pure function, so every node computes the same result.
     *
     * @param facts the facts of each node, by node
     * @param delay τ, the cost of a message when a proximal step costs 1
     */
    Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay);

    /**
     * Tunes for nodes or edges that differ in speed; a method that makes no use of that is tuned for the usual delay.
     */
    default Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, Timing timing) {
        return tune(network, objective, shape, facts, timing.delay());
    }
}
