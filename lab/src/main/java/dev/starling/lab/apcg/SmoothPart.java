package dev.starling.lab.apcg;

import java.util.function.IntToDoubleFunction;

/**
 * The smooth part q_A of a problem, given by operators: constant along Ker(A), and on its orthogonal complement smooth
 * and σ_A-strongly convex with σ_A ≥ 0. {@link Quadratic} makes one from matrices.
 */
public interface SmoothPart {

    /** The number of coordinates. */
    int dimension();

    /** q_A(x). */
    double value(double[] x);

    /**
     * Writes the partial derivatives ∂q_A/∂x_i for the coordinates i of a block.
     *
     * @param x the point, as a function of the index, so that only the entries that are needed are computed
     * @param into {@code into[k]} gets the derivative along {@code block[k]}
     */
    void gradient(IntToDoubleFunction x, int[] block, double[] into);

    /**
     * Writes the entries in a block of A⁺A h, where h is zero outside the block. By default A has no kernel, and this
     * is h itself.
     *
     * @param h {@code h[k]} is the entry of coordinate {@code block[k]}
     * @param into {@code into[k]} gets the entry of the projection
     */
    default void project(double[] h, int[] block, double[] into) {
        System.arraycopy(h, 0, into, 0, block.length);
    }

    /** σ_A, the strong convexity on the orthogonal complement of Ker(A); 0 if there is none. */
    double strongConvexity();
}
