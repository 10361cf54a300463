package dev.starling.method;

import dev.starling.node.Collectives;
import java.util.List;
import java.util.Optional;

/** A method with its constants for a network and the rows on it. Immutable: nodes of one process share it. */
public interface Tuned {

    /** What the method is called; more particular than {@link Method#name} where a method has variants. */
    String name();

    /** What it is predicted to take. */
    Forecast forecast();

    /** What the nodes are, as far as the method asks for it. */
    List<Constant> dataConstants();

    /** The numbers that the method goes by. */
    List<Constant> constants();

    /** Entries of the longest vector that such nodes send each other. */
    int longestMessage(Collectives nodes);

    /**
     * A node at the start of its run.
     *
     * @param start a parameter to begin from, such as that of a similar problem; empty to begin from nothing
     */
    MethodNode node(Assignment assignment, Optional<double[]> start);

    /**
     * A node that goes on from problems like its own; of most methods it does so from where the optimum is expected.
     *
     * @param known what those tell
     */
    default MethodNode nodeAfter(PriorKnowledge known, Assignment assignment) {
        return node(assignment, known.start());
    }
}
