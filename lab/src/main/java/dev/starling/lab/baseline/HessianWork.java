package dev.starling.lab.baseline;

import dev.starling.problem.LocalProblem;

/**
 * What a pass over a node's samples costs in idealised time if it takes gradients and Hessians, as Newton's method
 * does.
 */
final class HessianWork {

    private HessianWork() {}

    /** A row with v values takes 2v operations for a product and as many for a gradient, and v² for a Hessian. */
    static double of(LocalProblem problem) {
        int rows = Math.max(1, problem.data().rows());
        return problem.samples() * (1 + problem.data().storedValues() / (4.0 * rows));
    }
}
