package dev.starling.lab.baseline.node;

import dev.starling.internal.Vectors;

/**
 * ∇f_i*(x) = argmin_θ f_i(θ) − xᵀθ, the inner problem of methods that work on the dual: the θ at which ∇f_i(θ) = x.
 *
 * <p>Solved by Newton's method, starting from where the last call ended and reusing the Hessian of an earlier point as
 * long as a step shrinks the residual fivefold: consecutive calls of a converging method are close, so most take one or
 * two sweeps over the samples and no new Hessian. It stops when the residual, which initially is the distance x has
 * moved since the last call, has shrunk ten thousandfold or is rounding error.
 */
public final class DualGradient {

    /** The residual to reach, relative to the distance that x has moved. */
    public static final double ACCURACY = 1e-4;

    private static final double GOOD_SHRINKAGE = 0.2;
    private static final double UNIT_ROUNDING = 0x1p-53;
    private static final int MOST_STEPS = 200;
    private static final double SHORTEST_STEP = 0x1p-30;

    private final Samples samples;
    private final double sigma;
    private final double accuracy;
    private final double rowSize;
    private final InverseHessian inverse;
    private final double[] anchor;
    private final double[] hasAnchor;
    private final double[] residual;
    private final double[] direction;
    private final double[] trial;
    private final double[] trialResidual;
    private double slopeSum;

    /** Creates a solver for a program, whose state includes the point at which the Hessian was computed. */
    public DualGradient(BaselineProgram program, Samples samples, double sigma, double accuracy) {
        int d = samples.features();
        this.samples = samples;
        this.sigma = sigma;
        this.accuracy = accuracy;
        this.inverse = InverseHessian.of(samples, sigma);
        this.anchor = program.vector(d);
        this.hasAnchor = program.vector(1);
        this.residual = new double[d];
        this.direction = new double[d];
        this.trial = new double[d];
        this.trialResidual = new double[d];
        double squares = 0;
        for (int j = 0; j < samples.count(); j++) {
            squares += samples.squaredNorm(j);
        }
        this.rowSize = Math.sqrt(squares / Math.max(1, samples.count()));
        program.afterRestoring(this::refresh);
    }

    /** Recomputes the Hessian that belongs to the restored state. */
    private void refresh() {
        if (hasAnchor[0] > 0) {
            inverse.refresh(anchor);
        }
    }

    /** Replaces θ, the solution of the last call, with the solution for x. */
    public void solve(double[] x, double[] theta) {
        double norm = residual(theta, x, residual);
        double rounding = UNIT_ROUNDING * (slopeSum * rowSize + Vectors.norm(x) + sigma * Vectors.norm(theta));
        double goal = Math.max(accuracy * norm, rounding);
        boolean fresh = false;
        for (int step = 0; step < MOST_STEPS && norm > goal; step++) {
            if (hasAnchor[0] == 0) {
                anchorAt(theta);
                fresh = true;
            }
            inverse.apply(residual, direction);
            double next = tryStep(theta, x, 1);
            if (next <= GOOD_SHRINKAGE * norm) {
                accept(theta);
                norm = next;
                fresh = false;
            } else if (fresh) {
                double damped = damp(theta, x, norm, next);
                if (damped >= norm) {
                    return;
                }
                accept(theta);
                norm = damped;
                fresh = false;
            } else {
                if (next < norm) {
                    accept(theta);
                    norm = next;
                }
                anchorAt(theta);
                fresh = true;
            }
        }
    }

    /**
     * Halves the step until the residual shrinks, as it eventually does along Newton's direction, and returns its norm.
     */
    private double damp(double[] theta, double[] x, double norm, double atFullStep) {
        double next = atFullStep;
        for (double length = 0.5; !(next <= (1 - length / 2) * norm) && length > SHORTEST_STEP; length /= 2) {
            next = tryStep(theta, x, length);
        }
        return next;
    }

    private double tryStep(double[] theta, double[] x, double length) {
        for (int c = 0; c < theta.length; c++) {
            trial[c] = theta[c] - length * direction[c];
        }
        return residual(trial, x, trialResidual);
    }

    private void accept(double[] theta) {
        Vectors.copy(trial, theta);
        Vectors.copy(trialResidual, residual);
    }

    private void anchorAt(double[] theta) {
        Vectors.copy(theta, anchor);
        hasAnchor[0] = 1;
        inverse.refresh(anchor);
    }

    private double residual(double[] theta, double[] x, double[] into) {
        slopeSum = samples.gradient(theta, sigma, into);
        for (int c = 0; c < x.length; c++) {
            into[c] -= x[c];
        }
        return Vectors.norm(into);
    }
}
