package dev.starling.method;

import dev.starling.certificate.Certificate;
import dev.starling.node.NodeProgram;

/**
 * A node program that ends by itself once a duality gap says so, or a limit does, and has the proof of what it found.
 */
public interface CertifiedNode extends NodeProgram {

    /** The best certificate so far. */
    Certificate bestCertificate();

    /** The parameter that the best certificate is about. Not a copy. */
    double[] bestParameter();

    /** Steps taken so far, in the unit of the method's pace. */
    long steps();

    /** Samples visited so far at this node. */
    long updates();

    /** Whether the run has ended by its own decision. */
    boolean isDone();

    /**
     * Drops whatever this node was waiting for and makes its next exchanges those of a last certificate. When all nodes
     * of a run do so, between advances and with no message under way, they certify where they stand.
     */
    void certifyNow();
}
