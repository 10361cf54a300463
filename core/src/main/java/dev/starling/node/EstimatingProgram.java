package dev.starling.node;

/** A node program that can give an estimate of the parameter at any time: a node of an optimisation method. */
public interface EstimatingProgram extends NodeProgram {

    /** Writes this node's current estimate of the parameter to {@code theta}. */
    void estimate(double[] theta);
}
