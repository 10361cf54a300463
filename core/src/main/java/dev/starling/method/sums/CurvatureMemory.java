package dev.starling.method.sums;

import dev.starling.internal.Vectors;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/**
 * The last few steps s and the change y of the gradient along each: all that L-BFGS knows about the Hessian.
 *
 * @see <a href="https://doi.org/10.1007/BF01589116">Liu and Nocedal, On the limited memory BFGS method for large scale
 *     optimization, 1989</a>
 */
public final class CurvatureMemory implements Stateful {

    private static final int PAIRS = 10;

    private final int features;
    private final double[][] steps = new double[PAIRS][];
    private final double[][] changes = new double[PAIRS][];

    /** sᵀy of each pair. */
    private final double[] products = new double[PAIRS];

    private final double[] shares = new double[PAIRS];

    /** sᵀy/‖y‖² of the newest pair, used as the inverse Hessian where nothing else is known. */
    private double scale = 1;

    private int count;
    private int next;

    /** Creates an empty memory. */
    public CurvatureMemory(int features) {
        this.features = features;
    }

    /** Returns whether no step is stored. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Removes all steps. */
    public void clear() {
        count = 0;
        scale = 1;
    }

    /**
     * Adds the step between two points, unless rounding has destroyed its curvature.
     *
     * @return whether it was added
     */
    public boolean add(double[] from, double[] to, double[] gradientFrom, double[] gradientTo) {
        if (steps[next] == null) {
            steps[next] = new double[features];
            changes[next] = new double[features];
        }
        // If the memory is full, this slot holds the oldest pair, which is overwritten from here on.
        count = Math.min(count, PAIRS - 1);
        double[] step = steps[next];
        double[] change = changes[next];
        double product = 0;
        double squares = 0;
        for (int c = 0; c < features; c++) {
            step[c] = to[c] - from[c];
            change[c] = gradientTo[c] - gradientFrom[c];
            product = Math.fma(step[c], change[c], product);
            squares = Math.fma(change[c], change[c], squares);
        }
        if (product > 0 && squares > 0) {
            products[next] = product;
            scale = product / squares;
            next = (next + 1) % PAIRS;
            count++;
            return true;
        }
        return false;
    }

    /** Returns the step that was added last, not a copy. */
    public double[] newestStep() {
        return steps[slot(0)];
    }

    /** Returns the change of the gradient along the step that was added last, not a copy. */
    public double[] newestChange() {
        return changes[slot(0)];
    }

    /**
     * The first half of multiplying the negative gradient by the approximate inverse Hessian: takes away the parts that
     * the pairs know about, newest first. The caller then multiplies the rest by an initial guess of the inverse
     * Hessian, such as {@link #scale(double[])}, and {@link #giveBack} does the second half.
     */
    public void takeAway(double[] gradient, double[] direction) {
        for (int c = 0; c < features; c++) {
            direction[c] = -gradient[c];
        }
        if (count == 0) {
            return;
        }
        // One sweep takes away a pair's share and measures the share of the next pair.
        double along = addAndDot(direction, 0, steps[slot(0)], steps[slot(0)]);
        for (int age = 0; age < count; age++) {
            int slot = slot(age);
            shares[slot] = along / products[slot];
            double[] older = steps[slot(Math.min(age + 1, count - 1))];
            along = addAndDot(direction, -shares[slot], changes[slot], older);
        }
    }

    /** The second half of the product: adds the pairs' own parts, oldest first. */
    public void giveBack(double[] direction) {
        if (count == 0) {
            return;
        }
        double[] oldest = changes[slot(count - 1)];
        double along = addAndDot(direction, 0, oldest, oldest);
        for (int age = count - 1; age >= 0; age--) {
            int slot = slot(age);
            double[] newer = changes[slot(Math.max(age - 1, 0))];
            along = addAndDot(direction, shares[slot] - along / products[slot], steps[slot], newer);
        }
    }

    /** Multiplies by the initial guess that needs no Hessian. */
    public void scale(double[] vector) {
        Vectors.scale(vector, scale);
    }

    private int slot(int age) {
        return (next - 1 - age + PAIRS) % PAIRS;
    }

    /** Sets q to q + factor · a and returns qᵀb. */
    private static double addAndDot(double[] q, double factor, double[] a, double[] b) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int c = 0;
        for (; c + 3 < q.length; c += 4) {
            double q0 = Math.fma(factor, a[c], q[c]);
            double q1 = Math.fma(factor, a[c + 1], q[c + 1]);
            double q2 = Math.fma(factor, a[c + 2], q[c + 2]);
            double q3 = Math.fma(factor, a[c + 3], q[c + 3]);
            q[c] = q0;
            q[c + 1] = q1;
            q[c + 2] = q2;
            q[c + 3] = q3;
            sum0 = Math.fma(q0, b[c], sum0);
            sum1 = Math.fma(q1, b[c + 1], sum1);
            sum2 = Math.fma(q2, b[c + 2], sum2);
            sum3 = Math.fma(q3, b[c + 3], sum3);
        }
        for (; c < q.length; c++) {
            q[c] = Math.fma(factor, a[c], q[c]);
            sum0 = Math.fma(q[c], b[c], sum0);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    @Override
    public void state(State s) throws IOException {
        int pairs = s.number(count);
        if (pairs < 0 || pairs > PAIRS) {
            throw new IOException("a saved state has " + pairs + " steps, not 0 to " + PAIRS);
        }
        if (s.isRestoring()) {
            count = pairs;
            next = pairs % PAIRS;
        }
        scale = s.number(scale);
        for (int age = count - 1; age >= 0; age--) {
            int slot = slot(age);
            steps[slot] = s.vector(steps[slot], features);
            changes[slot] = s.vector(changes[slot], features);
            products[slot] = s.number(products[slot]);
        }
    }
}
