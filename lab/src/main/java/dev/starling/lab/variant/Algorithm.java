package dev.starling.lab.variant;

import dev.starling.network.Network;
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
     * @throws dev.starling.data.InvalidInputException if the method cannot take the problem or the network, saying
     *     which methods can
     */
    List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed);
}
