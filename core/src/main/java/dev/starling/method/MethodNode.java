package dev.starling.method;

import dev.starling.node.EstimatingProgram;
import dev.starling.node.Phase;

/**
 * A node of a method that ends once the duality gap is small enough or a limit is reached, with a certificate for the
 * parameter that it found.
 */
public interface MethodNode extends Phase<Solution>, EstimatingProgram {

    /** Returns the number of samples visited by this node so far. */
    long updates();

    /** Returns the number of passes so far, which is the same on every node whenever the run is at rest. */
    double passes();

    /**
     * Stops waiting for whatever this node was waiting for and makes its next exchanges those of a final certificate.
     * If all nodes of a run are told to do so between two advances, with no message in flight, they certify the point
     * they have reached.
     */
    void certifyNow();
}
