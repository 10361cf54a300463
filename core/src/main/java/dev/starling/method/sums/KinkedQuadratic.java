package dev.starling.method.sums;

import dev.starling.internal.Cholesky;
import java.util.Arrays;

/**
 * Minimises gᵀ(z − θ) + ½(z − θ)ᵀH(z − θ) + Σ p|z| in a few dimensions, in one fixed order of operations. The price p
 * of an entry is λ₁, or 0 for an entry that is not penalised.
 *
 * <p>A sweep of coordinate descent finds the entries that should not be 0. A Newton step then moves all of these at
 * once, which works however nearly dependent their columns are, and sets to 0 those whose sign it would change. Neither
 * ever increases the function. Once a sweep after a Newton step changes no entry's sign, that step ended at the
 * minimum.
 */
public final class KinkedQuadratic {

    /** The search ends after this many Newton steps per dimension plus {@link #FURTHER_STEPS}, wherever it is. */
    private static final int STEPS_PER_DIMENSION = 2;

    private static final int FURTHER_STEPS = 20;

    /**
     * It also ends after about this many multiplications, a second or so: a run must be able to look at the clock, and
     * where this search is left early, the next one goes on.
     */
    private static final double MOST_WORK = 1e9;

    /**
     * A step that takes several entries to 0 at once must achieve this part of the decrease that its slope predicts.
     */
    private static final double SUFFICIENT_DECREASE = 0.1;

    /** What is left after subtracting a price counts as 0 if it is at most this part of the price. */
    private static final double NOTHING = 0x1p-40;

    /** The relative increase of the diagonal where active columns depend on each other. */
    private static final double DAMPING = 0x1p-23;

    private static final int NONE = -1;

    private final int features;
    private final double[] prices;
    private final double[] hessian;

    /** g + H(z − θ). */
    private final double[] slope;

    /** The indices of the entries that are not 0 or have no price; only the first {@link #count} are in use. */
    private final int[] active;

    private int count;

    /* For each active entry: the Newton step, the part of that step that takes the entry to 0, and the change to make. */
    private final double[] step;
    private final double[] crossings;
    private final double[] change;

    private final double[] factor;

    /** H times the change. */
    private final double[] product;

    /**
     * Creates a solver for one matrix, which may change between calls.
     *
     * @param hessian H, with both triangles, row by row
     * @param prices the price p of each entry
     */
    public KinkedQuadratic(double[] hessian, double[] prices) {
        this.features = prices.length;
        this.prices = prices;
        this.hessian = hessian;
        this.slope = new double[features];
        this.active = new int[features];
        this.step = new double[features];
        this.crossings = new double[features];
        this.change = new double[features];
        this.factor = new double[features * features];
        this.product = new double[features];
    }

    /**
     * Updates H (by BFGS) so that it has the curvature along a step that the gradients at both ends of the step imply,
     * if that curvature is positive.
     *
     * @param from where the step started
     * @param gradientFrom the gradient of the smooth part there
     */
    public void learn(double[] from, double[] gradientFrom, double[] to, double[] gradientTo) {
        double measured = 0;
        for (int c = 0; c < features; c++) {
            measured = Math.fma(to[c] - from[c], gradientTo[c] - gradientFrom[c], measured);
        }
        if (!(measured > 0)) {
            return;
        }
        double expected = 0;
        for (int i = 0; i < features; i++) {
            double sum = 0;
            for (int j = 0; j < features; j++) {
                sum = Math.fma(hessian[i * features + j], to[j] - from[j], sum);
            }
            product[i] = sum;
            expected = Math.fma(sum, to[i] - from[i], expected);
        }
        for (int i = 0; i < features; i++) {
            double change = (gradientTo[i] - gradientFrom[i]) / measured;
            double known = expected > 0 ? product[i] / expected : 0;
            for (int j = 0; j < features; j++) {
                hessian[i * features + j] += change * (gradientTo[j] - gradientFrom[j]) - known * product[j];
            }
        }
    }

    /** Overwrites z with the minimiser; the search starts at z, which may be any point. */
    public void minimise(double[] gradient, double[] theta, double[] z) {
        int left = FURTHER_STEPS + STEPS_PER_DIMENSION * features;
        double work = 0;
        boolean solved = false;
        while (left > 0 && work < MOST_WORK) {
            look(gradient, theta, z);
            boolean changed = sweep(z);
            work += 2.0 * features * features;
            if (solved && !changed) {
                return;
            }
            do {
                solved = descend(z);
                work += (double) count * count * count / 6 + (double) count * features;
                left--;
            } while (!solved && left > 0 && work < MOST_WORK);
        }
    }

    /**
     * Overwrites z with a point that is certain to be lower, by using the trace of H as the curvature along every axis.
     */
    public void relax(double[] gradient, double[] theta, double[] z) {
        double trace = 0;
        for (int c = 0; c < features; c++) {
            trace += hessian[c * features + c];
        }
        for (int c = 0; c < features; c++) {
            z[c] = trace > 0 ? soft(trace * theta[c] - gradient[c], prices[c]) / trace : theta[c];
        }
    }

    /** Recomputes the slope, free of accumulated rounding errors. */
    private void look(double[] gradient, double[] theta, double[] z) {
        System.arraycopy(gradient, 0, slope, 0, features);
        for (int c = 0; c < features; c++) {
            if (z[c] != theta[c]) {
                add(z[c] - theta[c], c, slope);
            }
        }
    }

    /** Minimises along each axis in turn; returns whether that changed the sign of an entry. */
    private boolean sweep(double[] z) {
        boolean changed = false;
        for (int c = 0; c < features; c++) {
            double curvature = hessian[c * features + c];
            double lowest = curvature > 0 ? soft(curvature * z[c] - slope[c], prices[c]) / curvature : z[c];
            if (lowest != z[c]) {
                changed |= prices[c] > 0 && Math.signum(lowest) != Math.signum(z[c]);
                add(lowest - z[c], c, slope);
                z[c] = lowest;
            }
        }
        return changed;
    }

    /** Moves a number towards 0 by a price. */
    private static double soft(double number, double price) {
        double rest = Math.abs(number) - price;
        return rest <= NOTHING * price ? 0 : Math.copySign(rest, number);
    }

    /** Adds a row of H times a number. */
    private void add(double scale, int row, double[] to) {
        int at = row * features;
        for (int k = 0; k < features; k++) {
            to[k] = Math.fma(scale, hessian[at + k], to[k]);
        }
    }

    /** A Newton step on the active entries; returns whether it took none of them to 0 or past it. */
    private boolean descend(double[] z) {
        direct(z);
        double promise = 0;
        boolean crosses = false;
        for (int k = 0; k < count; k++) {
            int c = active[k];
            double from = z[c];
            promise += (slope[c] + Math.copySign(prices[c], from)) * step[k];
            boolean here = prices[c] > 0 && Math.signum(from + step[k]) != Math.signum(from);
            crosses |= here;
            crossings[k] = here ? -from / step[k] : Double.POSITIVE_INFINITY;
            change[k] = here ? -from : step[k];
        }
        if (!(promise < 0)) {
            return true;
        }
        multiply();
        if (crosses && !(difference(z) <= SUFFICIENT_DECREASE * promise)) {
            stopAtLowest(z, promise);
        }
        for (int k = 0; k < count; k++) {
            z[active[k]] += change[k];
        }
        for (int c = 0; c < features; c++) {
            slope[c] += product[c];
        }
        return !crosses;
    }

    /**
     * Computes the Newton step on the active entries, which is exact as long as no entry with a price changes its sign.
     */
    private void direct(double[] z) {
        count = 0;
        for (int c = 0; c < features; c++) {
            if (z[c] != 0 || prices[c] == 0) {
                active[count++] = c;
            }
        }
        for (int i = 0; i < count; i++) {
            int c = active[i];
            step[i] = -(slope[c] + Math.copySign(prices[c], z[c]));
        }
        fill(1);
        if (!Cholesky.factorise(factor, count)) {
            // Where there is no curvature, the damped step is long enough to reach the nearest zero, but not so long
            // that it consists of rounding errors.
            fill(1 + DAMPING);
            Cholesky.factorise(factor, count);
        }
        Cholesky.solve(factor, count, step, step);
    }

    private void fill(double diagonal) {
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < i; j++) {
                factor[i * count + j] = hessian[active[i] * features + active[j]];
            }
            factor[i * count + i] = diagonal * hessian[active[i] * features + active[i]];
        }
    }

    private void multiply() {
        Arrays.fill(product, 0);
        for (int k = 0; k < count; k++) {
            add(change[k], active[k], product);
        }
    }

    /** Returns what the change would add to the function. */
    private double difference(double[] z) {
        double sum = 0;
        for (int k = 0; k < count; k++) {
            int c = active[k];
            sum += (slope[c] + product[c] / 2) * change[k] + prices[c] * (Math.abs(z[c] + change[k]) - Math.abs(z[c]));
        }
        return sum;
    }

    /** Sets the change to the part of the step that takes the function to its lowest value. */
    private void stopAtLowest(double[] z, double promise) {
        System.arraycopy(step, 0, change, 0, count);
        multiply();
        double curvature = 0;
        for (int k = 0; k < count; k++) {
            curvature += product[active[k]] * step[k];
        }
        // Rounding may make it negative.
        curvature = Math.max(0, curvature);
        double rise = promise;
        int zero = nearest();
        // The slope along the step jumps where an entry passes 0.
        while (zero != NONE && rise + curvature * crossings[zero] + jump(zero) < 0) {
            rise += jump(zero);
            crossings[zero] = Double.POSITIVE_INFINITY;
            zero = nearest();
        }
        double part = curvature > 0 || zero != NONE ? -rise / curvature : 0;
        boolean atZero = zero != NONE && crossings[zero] <= part;
        part = atZero ? crossings[zero] : part;
        for (int k = 0; k < count; k++) {
            change[k] *= part;
        }
        for (int c = 0; c < features; c++) {
            product[c] *= part;
        }
        if (atZero) {
            change[zero] = -z[active[zero]];
        }
    }

    private double jump(int k) {
        return 2 * prices[active[k]] * Math.abs(step[k]);
    }

    private int nearest() {
        int nearest = NONE;
        double part = Double.POSITIVE_INFINITY;
        for (int k = 0; k < count; k++) {
            if (crossings[k] < part) {
                part = crossings[k];
                nearest = k;
            }
        }
        return nearest;
    }
}
