package dev.starling.method.newton;

import dev.starling.method.sums.KinkedQuadratic;
import dev.starling.node.State;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.io.IOException;

/**
 * Newton's method with an l1 term: a step leads to the minimum of the second-order model of the smooth part plus λ₁‖θ‖₁
 * itself. Row samples, Hessians and step lengths are chosen as without the l1 term; between Hessians the last one is
 * updated with gradients (BFGS).
 */
final class ProximalNewton extends DirectNewton {

    /** λ₁ for every weight, but 0 for a free intercept. */
    private final double[] prices;

    private final KinkedQuadratic model;
    private final double[] target;

    /** Less than this part of the guessed curvature counts as none. */
    private static final double NO_CURVATURE = 0x1p-40;

    /** A matrix is stale if a problem takes more passes than this with it. */
    private static final int FEW_PASSES = 2;

    /** Passes since the last Hessian, or since the start. */
    private int passes;

    /** Whether there are no Hessians and the matrix, which is then built from gradients, is still unset or a guess. */
    private boolean blank;

    /**
     * Creates the method at its start.
     *
     * @param l1 λ₁
     * @param curved whether Hessians may be computed
     */
    ProximalNewton(PassLayout layout, long samples, double lambda, double l1, boolean curved) {
        super(layout, samples, lambda);
        this.prices = layout.prices(l1);
        this.model = new KinkedQuadratic(matrix, prices);
        this.target = new double[parameters];
        this.blank = !curved;
        if (blank) {
            useAllSamples();
            doWithoutHessians();
        }
    }

    @Override
    void prove(double[] sums, double ridge, boolean all, double norm) {
        proveNet(sums, ridge, all, prices);
    }

    @Override
    void take(double[] sums) {
        super.take(sums);
        passes = passSums() == PassSums.HESSIAN ? 0 : passes + 1;
    }

    /** Returns the Hessian as updated with gradients. */
    @Override
    double[] hessian() {
        if (blank) {
            return new double[0];
        }
        double[] hessian = lowerTriangle();
        int diagonal = 0;
        for (int i = 0; i < parameters; i++) {
            hessian[diagonal] -= layout.isFree(i) ? 0 : lambda;
            diagonal += i + 2;
        }
        return hessian;
    }

    @Override
    boolean isStale() {
        return passes > FEW_PASSES;
    }

    @Override
    void begin(NewtonStart start) {
        blank &= start.hessian().length == 0;
        super.begin(start);
        passes = 0;
    }

    @Override
    void prepare() {
        for (int i = 0; i < parameters; i++) {
            for (int j = 0; j < i; j++) {
                matrix[j * parameters + i] = matrix[i * parameters + j];
            }
        }
        if (lambda == 0) {
            fillMissingCurvature();
        }
    }

    /**
     * Gives the matrix some curvature wherever it has none: without a ridge, a weight whose rows all have linear losses
     * would have no optimum.
     */
    private void fillMissingCurvature() {
        double curvature = guessedCurvature();
        for (int c = 0; c < parameters; c++) {
            int at = c * parameters + c;
            matrix[at] += matrix[at] > NO_CURVATURE * curvature ? 0 : curvature;
        }
    }

    /** Chooses the next step; returns its slope, including the changes of the l1 term over the whole step. */
    @Override
    double chooseDirection() {
        if (blank && matrix[0] == 0) {
            spread(guessedCurvature());
        }
        System.arraycopy(theta, 0, target, 0, parameters);
        model.minimise(gradient, theta, target);
        double slope = aim();
        if (slope > ROUNDING * objective()) {
            // Where columns depend on each other, rounding may make the step lead far uphill.
            model.relax(gradient, theta, target);
            slope = aim();
        }
        return slope;
    }

    /** Directs the next step to the target and returns its slope. */
    private double aim() {
        double slope = 0;
        for (int c = 0; c < parameters; c++) {
            direction[c] = target[c] - theta[c];
            slope = Math.fma(gradient[c], direction[c], slope + prices[c] * (Math.abs(target[c]) - Math.abs(theta[c])));
        }
        return slope;
    }

    private void spread(double curvature) {
        for (int c = 0; c < parameters; c++) {
            matrix[c * parameters + c] = curvature;
        }
    }

    @Override
    double slope() {
        double slope = 0;
        for (int c = 0; c < parameters; c++) {
            slope = Math.fma(gradient[c] + prices[c] * Math.signum(theta[c]), direction[c], slope);
        }
        return slope;
    }

    /** Gives the matrix the curvature along the last step that the gradients at both ends imply (BFGS). */
    @Override
    void remember() {
        double changed = 0;
        double squares = 0;
        for (int c = 0; c < parameters; c++) {
            double change = gradient[c] - originGradient[c];
            changed = Math.fma(theta[c] - origin[c], change, changed);
            squares = Math.fma(change, change, squares);
        }
        if (!(changed > 0)) {
            return;
        }
        if (blank) {
            blank = false;
            spread(squares / changed);
        }
        model.learn(origin, originGradient, theta, gradient);
    }

    @Override
    public void state(State s) throws IOException {
        super.state(s);
        passes = s.number(passes);
        blank = s.flag(blank);
    }
}
