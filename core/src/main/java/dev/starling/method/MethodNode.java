package dev.starling.method;

import dev.starling.node.EstimatingProgram;
import dev.starling.node.Phase;

/**
 * A node of a method that ends by itself once a duality gap says so, or a limit does, with the proof of what it found.
 */
public interface MethodNode extends Phase<Solution>, EstimatingProgram {

    /** Samples visited so far at this node. */
    long updates();

    /** Passes so far, the same number at every node at a point of rest. */
    double passes();

    /**
     * Drops whatever this node was waiting for and makes its next exchanges those of a last certificate. When all nodes
     * of a run do so, between advances and with no message under way, they certify where they stand.
     */
    void certifyNow();
}
