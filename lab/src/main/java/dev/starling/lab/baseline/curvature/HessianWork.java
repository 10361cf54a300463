package dev.starling.lab.baseline.curvature;

import dev.starling.problem.LocalProblem;

/** The idealised time of a pass over a node's samples that computes gradients and Hessians, as in Newton's method. */
public final class HessianWork {

    private HessianWork() {}

    /** A row with v values takes 2v operations for a product, 2v for a gradient, and v² for a Hessian. */
    public static double of(LocalProblem problem) {
        int rows = Math.max(1, problem.data().rows());
        return problem.samples() * (1 + problem.data().storedValues() / (4.0 * rows));
    }
}
