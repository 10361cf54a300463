package dev.starling.newton;

import dev.starling.algorithm.Cholesky;
import dev.starling.algorithm.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Newton's equations solved with a factor of the Hessian. Since a gradient costs much less than a Hessian, a factor is
 * kept for as long as its steps shrink the gap to {@value #GOOD} of what it was.
 */
final class DirectNewton extends Newton {

    private static final double GOOD = 0.1;

    /** So many times as many rows as features have nearly the same Hessian, relatively, as any more of their kind. */
    private static final int ROWS_FOR_A_HESSIAN = 500;

    /** After a step predicted to bring down the objective by this part, the Hessian is much as it was. */
    private static final double SMALL_STEP = 0.01;

    private final double[] factor;

    /** Whether the last direction came from a Hessian of another point. */
    private boolean borrowed;

    DirectNewton(int features, long samples, double lambda) {
        super(features, samples, lambda, Order.HESSIAN);
        this.factor = new double[features * features];
    }

    @Override
    void beginAgain() {
        order = Order.HESSIAN;
    }

    @Override
    void takeCurvature(double[] sums, double weight) {
        if (order != Order.HESSIAN) {
            return;
        }
        int at = NewtonPass.GRADIENT + features;
        for (int i = 0; i < features; i++) {
            for (int j = 0; j <= i; j++) {
                factor[i * features + j] = sums[at++] / weight;
            }
            factor[i * features + i] += ridge();
        }
        Cholesky.factorise(factor, features);
    }

    @Override
    void advance() {
        if (!isAccepted()) {
            stepBack();
            return;
        }
        boolean first = isFresh();
        boolean slow = contraction() > GOOD;
        borrowed = order != Order.HESSIAN;
        boolean manyRows = samples >= (double) ROWS_FOR_A_HESSIAN * features * every();
        settle();
        Cholesky.solve(factor, features, gradient, direction);
        for (int c = 0; c < features; c++) {
            direction[c] = -direction[c];
        }
        boolean needed;
        if (stepOn()) {
            needed = !manyRows;
        } else {
            needed = (first && !borrowed) ? decrement() > SMALL_STEP * objective() : slow;
        }
        order = needed ? Order.HESSIAN : Order.GRADIENT;
    }

    /** A direction that came from a Hessian of elsewhere is not worth another try. */
    private void stepBack() {
        if (borrowed) {
            goBack();
        } else {
            halve();
        }
        order = borrowed ? Order.HESSIAN : Order.GRADIENT;
    }

    @Override
    void save(DataOutput out) throws IOException {
        super.save(out);
        SavedState.writeDoubles(out, factor);
        out.writeBoolean(borrowed);
    }

    @Override
    void restore(DataInput in) throws IOException {
        super.restore(in);
        SavedState.readDoubles(in, factor);
        borrowed = in.readBoolean();
    }
}
