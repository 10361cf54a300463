package dev.starling.method.sums;

import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The last steps s and what the gradient changed by along each, y: all that L-BFGS knows of the Hessian.
 *
 * @see <a href="https://doi.org/10.1007/BF01589116">Liu and Nocedal, On the limited memory BFGS method for large scale
 *     optimization, 1989</a>
 */
public final class CurvatureMemory {

    private static final int PAIRS = 10;

    private final int features;
    private final double[][] steps = new double[PAIRS][];
    private final double[][] changes = new double[PAIRS][];

    /** sᵀy of each pair. */
    private final double[] products = new double[PAIRS];

    private final double[] shares = new double[PAIRS];

    /** sᵀy/‖y‖² of the newest pair, what the inverse Hessian is taken for where nothing else is known. */
    private double scale = 1;

    private int count;
    private int next;

    /** Remembers nothing yet. */
    public CurvatureMemory(int features) {
        this.features = features;
    }

    /** Whether there is no step to tell of. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Forgets all steps. */
    public void clear() {
        count = 0;
        scale = 1;
    }

    /**
     * Adds the step between two points, unless rounding has left nothing of its curvature.
     *
     * @return whether it was added
     */
    public boolean add(double[] from, double[] to, double[] gradientFrom, double[] gradientTo) {
        if (steps[next] == null) {
            steps[next] = new double[features];
            changes[next] = new double[features];
        }
        // The place of the oldest pair, which is gone from here on, if there is no other.
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

    /** The step that was added last. Not a copy. */
    public double[] newestStep() {
        return steps[slot(0)];
    }

    /** What the gradient changed by along the step that was added last. Not a copy. */
    public double[] newestChange() {
        return changes[slot(0)];
    }

    /**
     * The first half of multiplying minus the gradient by the approximate inverse Hessian: takes away what the pairs
     * tell of, newest first. What is left is to be multiplied by what the inverse is taken for where no pair tells of
     * it, and {@link #giveBack} does the second half.
     */
    public void takeAway(double[] gradient, double[] direction) {
        for (int c = 0; c < features; c++) {
            direction[c] = -gradient[c];
        }
        if (count == 0) {
            return;
        }
        // A sweep takes a pair's share away and measures that of the next.
        double along = addAndDot(direction, 0, steps[slot(0)], steps[slot(0)]);
        for (int age = 0; age < count; age++) {
            int slot = slot(age);
            shares[slot] = along / products[slot];
            double[] older = steps[slot(Math.min(age + 1, count - 1))];
            along = addAndDot(direction, -shares[slot], changes[slot], older);
        }
    }

    /** The second half: gives back, oldest first, what the pairs make of it. */
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

    /** The start that needs no Hessian. */
    public void scale(double[] vector) {
        for (int c = 0; c < features; c++) {
            vector[c] *= scale;
        }
    }

    private int slot(int age) {
        return (next - 1 - age + PAIRS) % PAIRS;
    }

    /** q += factor · a, and then qᵀb. */
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

    /** Writes all steps. */
    public void save(DataOutput out) throws IOException {
        out.writeInt(count);
        out.writeDouble(scale);
        for (int age = count - 1; age >= 0; age--) {
            SavedState.writeDoubles(out, steps[slot(age)]);
            SavedState.writeDoubles(out, changes[slot(age)]);
            out.writeDouble(products[slot(age)]);
        }
    }

    /** Takes up what {@link #save} wrote. */
    public void restore(DataInput in) throws IOException {
        int saved = in.readInt();
        if (saved < 0 || saved > PAIRS) {
            throw new IOException("a saved state has " + saved + " steps, not 0 to " + PAIRS);
        }
        count = saved;
        next = saved % PAIRS;
        scale = in.readDouble();
        for (int pair = 0; pair < saved; pair++) {
            steps[pair] = new double[features];
            changes[pair] = new double[features];
            SavedState.readDoubles(in, steps[pair]);
            SavedState.readDoubles(in, changes[pair]);
            products[pair] = in.readDouble();
        }
    }
}
