package dev.starling.lab.variant;

import dev.starling.data.InvalidInputException;
import dev.starling.method.adfs.EdgeSampling;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import java.util.List;

/**
 * A decentralized method: how to make the program of every node for a problem on a network, with the parameters the
 * method's own theory gives.
 */
public interface Algorithm {

    /** What the method is called on the command line: {@code adfs}, {@code msda}. */
    String name();

    /** What the method is, in a line. */
    String description();

    /**
     * The programs of all nodes at the start of a run.
     *
     * @param delay τ, what a message costs when a proximal step costs 1
     * @throws InvalidInputException if the method cannot take the problem or the network, saying which methods can
     */
    List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed);

    /** The same where nodes or edges differ in speed; a method that makes no use of that goes by the usual delay. */
    default List<? extends EstimatingProgram> programs(Problem problem, Network network, Timing timing, long seed) {
        return programs(problem, network, timing.delay(), seed);
    }

    /** Whether the method's theory has it run on edges that change from round to round. */
    default boolean takesVaryingEdges() {
        return false;
    }

    /**
     * The same on a network of which every round has only some of the edges, drawn anew.
     *
     * @throws UnsupportedOperationException unless the method {@link #takesVaryingEdges}
     */
    default List<? extends EstimatingProgram> programs(
            Problem problem, Network network, EdgeSampling rounds, Timing timing, long seed) {
        throw new UnsupportedOperationException(name() + " needs all edges in every round");
    }

    /** The one of a name among some. */
    static Algorithm named(String name, List<Algorithm> some) {
        return some.stream()
                .filter(algorithm -> algorithm.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName(
                        "algorithm", name, some.stream().map(Algorithm::name).toList()));
    }
}
