package dev.starling.method;

import dev.starling.node.Collectives;
import java.util.List;
import java.util.Optional;

/** A method with its constants for a network and the rows on it. Immutable: the nodes of one process share it. */
public interface Tuned {

    /** Returns the name of the method; more specific than {@link Method#name} if the method has variants. */
    String name();

    /** Returns the predicted cost. */
    Forecast forecast();

    /** Returns the numbers about the nodes' data that the method was tuned with. */
    List<Constant> dataConstants();

    /** Returns the numbers that the method uses. */
    List<Constant> constants();

    /** Returns the length of the longest vector that the nodes send each other. */
    int longestMessage(Collectives nodes);

    /**
     * Creates a node at the start of its run.
     *
     * @param start a parameter to begin from, such as the solution of a similar problem; empty to start from zero
     */
    MethodNode node(Assignment assignment, Optional<double[]> start);

    /**
     * Creates a node that makes use of earlier, similar problems. Most methods only start where the optimum is
     * expected.
     *
     * @param known what the earlier problems tell us
     */
    default MethodNode nodeAfter(PriorKnowledge known, Assignment assignment) {
        return node(assignment, known.start());
    }
}
