package dev.starling.lab.variant;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.Optional;

/**
 * A decentralized method: creates the program of every node for a problem on a network, with the parameters that the
 * method's own theory gives.
 */
public interface Algorithm {

    /** The name of the method on the command line, such as {@code adfs} or {@code msda}. */
    String name();

    /** A one-line description of the method. */
    String description();

    /**
     * Creates the programs of all nodes, at the start of a run.
     *
     * @param delay τ, the time of a message when a proximal step takes 1
     * @throws InvalidInputException if the method cannot handle the problem or the network; the message says which
     *     methods can
     */
    List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed);

    /** The same for nodes or edges that differ in speed; a method that makes no use of that uses the default delay. */
    default List<? extends EstimatingProgram> programs(Problem problem, Network network, Timing timing, long seed) {
        return programs(problem, network, timing.delay(), seed);
    }

    /** Whether the method's theory covers edges that change from round to round. */
    default boolean takesVaryingEdges() {
        return false;
    }

    /**
     * The same on a network in which every round has only some of the edges, drawn at random.
     *
     * @throws UnsupportedOperationException unless the method {@link #takesVaryingEdges}
     */
    default List<? extends EstimatingProgram> programs(
            Problem problem, Network network, EdgeSampling rounds, Timing timing, long seed) {
        throw new UnsupportedOperationException(name() + " needs all edges in every round");
    }

    /**
     * The same method with its theory's step size times a factor, for which the theory no longer guarantees anything;
     * empty if the method has no step size.
     */
    default Optional<Algorithm> withStep(double factor) {
        return Optional.empty();
    }

    /** Returns the one with the given name among some algorithms. */
    static Algorithm named(String name, List<Algorithm> some) {
        return InvalidInputException.named("algorithm", name, some, Algorithm::name);
    }
}
