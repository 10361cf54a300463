package dev.starling.node;

/** A node program that has an estimate of the parameter at every moment: a node of an optimisation method. */
public interface EstimatingProgram extends NodeProgram {

    /** Writes this node's present estimate θ of the parameter. */
    void estimate(double[] theta);
}
