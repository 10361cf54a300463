package dev.starling.lab.variant;

import dev.starling.node.EstimatingProgram;

/** A node program that vouches for a duality gap by what it and its neighbours know. */
public interface SelfCertifying extends EstimatingProgram {

    /**
     * A bound on the duality gap of the mean of all nodes' models, in the average form of the objective, that holds if
     * every node vouches for it after the same round: the largest of their numbers is a certificate. Infinite where the
     * node has none to give.
     */
    double certifiedGap();
}
