package dev.starling.newton;

import dev.starling.algorithm.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Newton's method as its root sees it: from the sums of a pass it says where the next pass is to be made, over which
 * samples, and what it is to sum up.
 *
 * <p>It begins with a sample of the rows and takes {@value #GROWTH} times as many as soon as the optimum of those at
 * hand is known better than they determine it, so that few passes go over all rows. A step that does not bring the
 * objective down is halved, which makes the method converge from anywhere. How the Newton equations are solved is left
 * to {@link DirectNewton} and {@link ConjugateNewton}.
 */
abstract class Newton {

    private static final int GROWTH = 8;

    /** The first sample has so many rows at least, and so many times as many rows as there are features. */
    private static final int FEWEST_ROWS = 2048;

    private static final int ROWS_PER_FEATURE = 16;

    /** A sample of so many times as many rows as there are features, or fewer, needs a ridge. */
    private static final int ROWS_WITHOUT_A_RIDGE = 30;

    /** How well the optimum of a sample is found, in units of objective · features/rows, before more rows are taken. */
    private static final double SAMPLE_PRECISION = 0.1;

    private static final double SUFFICIENT_DECREASE = 1e-4;

    /** What rounding may add to an objective, relatively. */
    private static final double ROUNDING = 0x1p-44;

    final int features;
    final double lambda;
    final long samples;

    /** The gradient at the last point that was taken in. */
    final double[] gradient;

    /** The last direction. */
    final double[] direction;

    private final double[] theta;
    private final double[] origin;

    /** What the next pass is to sum up. */
    Order order;

    /** Whether the next point is the first on its samples, so that there is nothing to compare it with. */
    private boolean fresh = true;

    private int every;
    private double ridge;
    private double curvature = Double.NaN;
    private double objective;
    private double gap;
    private double originObjective;
    private double originGap;
    private double slope;
    private double step;

    Newton(int features, long samples, double lambda, Order order) {
        this.features = features;
        this.samples = samples;
        this.lambda = lambda;
        this.order = order;
        this.theta = new double[features];
        this.origin = new double[features];
        this.direction = new double[features];
        this.gradient = new double[features];
        this.every = firstSample(features, samples);
    }

    private static int firstSample(int features, long samples) {
        double fewest = Math.max(FEWEST_ROWS, (double) ROWS_PER_FEATURE * features);
        int every = 1;
        while (samples / (double) every / GROWTH >= fewest) {
            every *= GROWTH;
        }
        return every;
    }

    /** The point or vector of the next pass. Not a copy. */
    double[] point() {
        return theta;
    }

    /** What the next pass is to sum up. */
    final Order order() {
        return order;
    }

    /** The next pass goes over every so-manieth sample. */
    final int every() {
        return every;
    }

    /** Makes the next pass one over all samples, at θ. */
    final void takeAll() {
        fresh |= every > 1;
        every = 1;
        beginAgain();
    }

    /** Makes the next pass one at θ that brings what a direction needs. */
    abstract void beginAgain();

    /** Takes in the curvature of a pass, if it brought any. */
    abstract void takeCurvature(double[] sums, double weight);

    /** Takes in the sums of the pass that was asked for. */
    void take(double[] sums) {
        double weight = sums[NewtonPass.WEIGHT];
        if (fresh) {
            ridge = ridge(sums, weight);
        }
        double squares = 0;
        double norm = 0;
        for (int c = 0; c < features; c++) {
            gradient[c] = Math.fma(ridge, theta[c], sums[NewtonPass.GRADIENT + c] / weight);
            squares += gradient[c] * gradient[c];
            norm += theta[c] * theta[c];
        }
        objective = sums[NewtonPass.LOSS] / weight + 0.5 * ridge * norm;
        gap = squares / (2 * ridge);
        takeCurvature(sums, weight);
    }

    /**
     * λ; on a sample no less than the rows' curvature by their number, which keeps weights from running away where rows
     * are so few that they seem separable, and less the more rows there are.
     */
    private double ridge(double[] sums, double weight) {
        if (every == 1) {
            return lambda;
        }
        if (Double.isNaN(curvature)) {
            curvature = trace(sums) / weight;
        }
        double need = Math.min(1, ROWS_WITHOUT_A_RIDGE * features / weight);
        return Math.max(lambda, need * curvature / weight);
    }

    private double trace(double[] sums) {
        int at = NewtonPass.GRADIENT + features;
        double trace = 0;
        for (int c = 0; c < features; c++) {
            trace += sums[at];
            at += order == Order.HESSIAN ? c + 2 : 1;
        }
        return trace;
    }

    /** The weight λ of the regulariser, or more where samples are few. */
    final double ridge() {
        return ridge;
    }

    /** The objective of the pass that was last taken in. */
    final double objective() {
        return objective;
    }

    /** Its duality gap: with the slopes ℓ'(x_jᵀθ) as dual point, that of mean loss + (λ/2)‖θ‖² is ‖gradient‖²/(2λ). */
    final double gap() {
        return gap;
    }

    /** Whether the pass that was last taken in was one at θ over all samples, which is a certificate. */
    boolean certifies() {
        return every == 1;
    }

    /** Decides on the next pass. */
    abstract void advance();

    /** Whether the step that led to θ may stay. */
    final boolean isAccepted() {
        return fresh
                || objective <= originObjective + SUFFICIENT_DECREASE * step * slope + ROUNDING * originObjective
                || (gap < originGap && objective <= originObjective);
    }

    /** The gap at θ by that at the point before; 0 if there was none on these samples. */
    final double contraction() {
        return fresh ? 0 : gap / originGap;
    }

    /** Whether θ is the first point on its samples. */
    final boolean isFresh() {
        return fresh;
    }

    /** Makes θ the point to step from. */
    final void settle() {
        System.arraycopy(theta, 0, origin, 0, features);
        originObjective = objective;
        originGap = gap;
    }

    /** Steps along the direction, and on to more samples if these have told what they can; tells whether they have. */
    final boolean stepOn() {
        slope = 0;
        for (int c = 0; c < features; c++) {
            slope += gradient[c] * direction[c];
        }
        step = 1;
        move();
        boolean known = -slope / 2 <= SAMPLE_PRECISION * objective * features * every / samples;
        fresh = every > 1 && known;
        every = fresh ? every / GROWTH : every;
        return fresh;
    }

    /** Twice what the last full step is predicted to bring down the objective by. */
    final double decrement() {
        return -slope;
    }

    /** Halves the last step. */
    final void halve() {
        step /= 2;
        move();
    }

    /** Takes the last step back. */
    final void goBack() {
        step = 0;
        fresh = true;
        move();
    }

    private void move() {
        for (int c = 0; c < features; c++) {
            theta[c] = Math.fma(step, direction[c], origin[c]);
        }
    }

    void save(DataOutput out) throws IOException {
        for (double[] vector : new double[][] {theta, origin, direction, gradient}) {
            SavedState.writeDoubles(out, vector);
        }
        out.writeUTF(order.name());
        out.writeBoolean(fresh);
        out.writeInt(every);
        for (double number : new double[] {ridge, curvature, objective, gap, originObjective, originGap, slope, step}) {
            out.writeDouble(number);
        }
    }

    void restore(DataInput in) throws IOException {
        for (double[] vector : new double[][] {theta, origin, direction, gradient}) {
            SavedState.readDoubles(in, vector);
        }
        order = Order.valueOf(in.readUTF());
        fresh = in.readBoolean();
        every = in.readInt();
        ridge = in.readDouble();
        curvature = in.readDouble();
        objective = in.readDouble();
        gap = in.readDouble();
        originObjective = in.readDouble();
        originGap = in.readDouble();
        slope = in.readDouble();
        step = in.readDouble();
    }
}
