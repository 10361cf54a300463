package dev.starling.lab.variant;

import dev.starling.node.EstimatingProgram;

/** A node program that can certify a duality gap from what it and its neighbours know. */
public interface SelfCertifying extends EstimatingProgram {

    /**
     * This node's bound for the duality gap of the mean of all nodes' models, for the objective as an average over
     * samples: the largest of all nodes' bounds after the same round is a certificate. Infinite if the node has no
     * bound.
     */
    double certifiedGap();
}
