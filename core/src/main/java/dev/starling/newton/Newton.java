package dev.starling.newton;

import dev.starling.algorithm.Cholesky;
import dev.starling.algorithm.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Newton's method as its root sees it: from the sums of a pass it says where the next pass is to be made, over which
 * samples, and whether it needs a Hessian.
 *
 * <p>It begins with a sample of the rows and takes {@value #GROWTH} times as many as soon as the optimum of those at
 * hand is known better than they determine it, so that few passes go over all rows. A factor of the Hessian is kept for
 * as long as its steps shrink the gap to {@value #GOOD} of what it was, since a gradient costs much less. A step that
 * does not bring the objective down is halved, which makes the method converge from anywhere.
 */
final class Newton {

    private static final int GROWTH = 8;
    private static final double GOOD = 0.1;

    /** The first sample has so many rows at least, and so many times as many rows as there are features. */
    private static final int FEWEST_ROWS = 2048;

    private static final int ROWS_PER_FEATURE = 16;

    /** So many times as many rows as features have nearly the same Hessian, relatively, as any more of their kind. */
    private static final int ROWS_FOR_A_HESSIAN = 500;

    /** A sample of so many times as many rows as there are features, or fewer, needs a ridge. */
    private static final int ROWS_WITHOUT_A_RIDGE = 30;

    /** How well the optimum of a sample is found, in units of objective · features/rows, before more rows are taken. */
    private static final double SAMPLE_PRECISION = 0.1;

    /** After a step predicted to bring down the objective by this part, the Hessian is much as it was. */
    private static final double SMALL_STEP = 0.01;

    private static final double SUFFICIENT_DECREASE = 1e-4;

    /** What rounding may add to an objective, relatively. */
    private static final double ROUNDING = 0x1p-44;

    private final int features;
    private final double lambda;

    private final double[] theta;
    private final double[] origin;
    private final double[] direction;
    private final double[] gradient;
    private final double[] factor;

    private int every;
    private double ridge;
    private double curvature = Double.NaN;
    private boolean needsHessian = true;
    private boolean fresh = true;
    private boolean stale;
    private double originObjective;
    private double originGap;
    private double slope;
    private double step;

    private double objective;
    private double gap;

    Newton(int features, long samples, double lambda) {
        this.features = features;
        this.lambda = lambda;
        this.theta = new double[features];
        this.origin = new double[features];
        this.direction = new double[features];
        this.gradient = new double[features];
        this.factor = new double[features * features];
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

    /** Where the next pass is to be made. Not a copy. */
    double[] theta() {
        return theta;
    }

    /** The next pass goes over every so-manieth sample. */
    int every() {
        return every;
    }

    /** Whether the next pass is to bring a Hessian. */
    boolean needsHessian() {
        return needsHessian;
    }

    /** Makes the next pass one over all samples. */
    void takeAll() {
        fresh |= every > 1;
        needsHessian |= every > 1;
        every = 1;
    }

    /**
     * Takes in the sums of the pass that was asked for, at θ.
     *
     * <p>With the slopes ℓ'(x_jᵀθ) as dual point, the duality gap of mean loss + (λ/2)‖θ‖² is ‖gradient‖²/(2λ).
     */
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
        if (needsHessian) {
            factorise(sums, weight);
        }
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
            int diagonal = NewtonPass.lengthOfSums(features);
            curvature = 0;
            for (int c = 0; c < features; c++) {
                curvature += sums[diagonal] / weight;
                diagonal += c + 2;
            }
        }
        double need = Math.min(1, ROWS_WITHOUT_A_RIDGE * features / weight);
        return Math.max(lambda, need * curvature / weight);
    }

    private void factorise(double[] sums, double weight) {
        int at = NewtonPass.lengthOfSums(features);
        for (int i = 0; i < features; i++) {
            for (int j = 0; j <= i; j++) {
                factor[i * features + j] = sums[at++] / weight;
            }
            factor[i * features + i] += ridge;
        }
        Cholesky.factorise(factor, features);
    }

    /** The objective of the pass that was last taken in. */
    double objective() {
        return objective;
    }

    /** Its duality gap. */
    double gap() {
        return gap;
    }

    /**
     * Decides on the next pass.
     *
     * @param samples the samples of all nodes
     */
    void advance(long samples) {
        if (!fresh && !decreased()) {
            stepBack();
            return;
        }
        boolean kept = !needsHessian;
        stale = kept;
        boolean slow = !fresh && gap > GOOD * originGap;
        System.arraycopy(theta, 0, origin, 0, features);
        originObjective = objective;
        originGap = gap;
        Cholesky.solve(factor, features, gradient, direction);
        slope = 0;
        for (int c = 0; c < features; c++) {
            direction[c] = -direction[c];
            slope += gradient[c] * direction[c];
        }
        step = 1;
        move();
        boolean known = -slope / 2 <= SAMPLE_PRECISION * objective * features * every / samples;
        if (every > 1 && known) {
            needsHessian = samples < (double) ROWS_FOR_A_HESSIAN * features * every;
            every /= GROWTH;
            fresh = true;
        } else {
            needsHessian = (kept || !fresh) ? slow : -slope > SMALL_STEP * objective;
            fresh = false;
        }
    }

    /** Halves the step; if its direction came from a Hessian of elsewhere, makes the pass anew with one of its own. */
    private void stepBack() {
        step = stale ? 0 : step / 2;
        fresh = stale;
        needsHessian = stale;
        move();
    }

    private boolean decreased() {
        return objective <= originObjective + SUFFICIENT_DECREASE * step * slope + ROUNDING * originObjective
                || (gap < originGap && objective <= originObjective);
    }

    private void move() {
        for (int c = 0; c < features; c++) {
            theta[c] = Math.fma(step, direction[c], origin[c]);
        }
    }

    void save(DataOutput out) throws IOException {
        for (double[] vector : new double[][] {theta, origin, direction, factor}) {
            SavedState.writeDoubles(out, vector);
        }
        out.writeInt(every);
        out.writeDouble(ridge);
        out.writeDouble(curvature);
        out.writeBoolean(needsHessian);
        out.writeBoolean(fresh);
        out.writeBoolean(stale);
        out.writeDouble(originObjective);
        out.writeDouble(originGap);
        out.writeDouble(slope);
        out.writeDouble(step);
    }

    void restore(DataInput in) throws IOException {
        for (double[] vector : new double[][] {theta, origin, direction, factor}) {
            SavedState.readDoubles(in, vector);
        }
        every = in.readInt();
        ridge = in.readDouble();
        curvature = in.readDouble();
        needsHessian = in.readBoolean();
        fresh = in.readBoolean();
        stale = in.readBoolean();
        originObjective = in.readDouble();
        originGap = in.readDouble();
        slope = in.readDouble();
        step = in.readDouble();
    }
}
