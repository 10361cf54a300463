package dev.starling.method.newton;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.KinkedQuadratic;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Newton's method with an l1 term: a step leads to where the second-order model of what is smooth, plus λ₁‖θ‖₁ itself,
 * has its minimum. Samples, Hessians and the length of steps are decided on as without the term; between Hessians the
 * last one is mended by what gradients tell (BFGS).
 */
final class ProximalNewton extends DirectNewton {

    private final double l1;

    /** λ₁ for every weight but that of a free intercept. */
    private final double[] prices;

    private final KinkedQuadratic model;
    private final double[] target;

    /** Less than this part of the curvature that is guessed is none. */
    private static final double NO_CURVATURE = 0x1p-40;

    /** A matrix with which a problem takes more passes than this is worn. */
    private static final int FEW_PASSES = 2;

    /** Passes since the last Hessian, or since the beginning. */
    private int passes;

    /** Whether no Hessian has come and none will: the matrix is what gradients tell, and at first a guess. */
    private boolean blank;

    /**
     * At its start.
     *
     * @param l1 λ₁
     * @param curved whether Hessians may be summed up
     */
    ProximalNewton(PassLayout layout, long samples, double lambda, double l1, boolean curved) {
        super(layout, samples, lambda);
        this.l1 = l1;
        this.prices = new double[features];
        Arrays.fill(prices, 0, layout.regularised(), l1);
        this.model = new KinkedQuadratic(matrix, prices);
        this.target = new double[features];
        this.blank = !curved;
        if (blank) {
            takeAll();
            doWithoutHessians();
        }
    }

    @Override
    void prove(double[] sums, double ridge, int regularised, double norm) {
        double weight = sums[NewtonPass.WEIGHT];
        double[] mean = new double[features];
        double length = 0;
        for (int c = 0; c < features; c++) {
            mean[c] = sums[NewtonPass.GRADIENT + c] / weight;
            length += prices[c] == 0 ? 0 : Math.abs(theta[c]);
        }
        FreeIntercept free = regularised < features ? layout.balance(sums, mean) : FreeIntercept.none(mean);
        double[] pull = Arrays.stream(free.balanced()).map(entry -> -entry).toArray();
        NetGap proven = new NetGap.At(
                        pull,
                        sums[NewtonPass.SPREAD] / weight + free.length(),
                        theta,
                        prices,
                        ridge,
                        sums[NewtonPass.LOSS] / weight,
                        sums[NewtonPass.ERROR] / weight)
                .gap(free.shrunk(), free.slack());
        found(sums, objective() + l1 * length, proven.gap(), proven.most());
    }

    @Override
    void take(double[] sums) {
        super.take(sums);
        passes = order() == PassSums.HESSIAN ? 0 : passes + 1;
    }

    /** As gradients have mended it. */
    @Override
    double[] hessian() {
        if (blank) {
            return new double[0];
        }
        double[] hessian = lowerHalf();
        int diagonal = 0;
        for (int i = 0; i < layout.regularised(); i++) {
            hessian[diagonal] -= lambda;
            diagonal += i + 2;
        }
        return hessian;
    }

    @Override
    boolean isWorn() {
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
        for (int i = 0; i < features; i++) {
            for (int j = 0; j < i; j++) {
                matrix[j * features + i] = matrix[i * features + j];
            }
        }
        if (lambda == 0) {
            hold();
        }
    }

    /** Without a ridge a weight whose rows' losses are all straight lines would have no best place. */
    private void hold() {
        double curvature = guessed();
        for (int c = 0; c < features; c++) {
            int at = c * features + c;
            matrix[at] += matrix[at] > NO_CURVATURE * curvature ? 0 : curvature;
        }
    }

    /** Directs the next step; returns what the objective changes by along it at first, kinks on the way included. */
    @Override
    double turn() {
        if (blank && matrix[0] == 0) {
            spread(guessed());
        }
        System.arraycopy(theta, 0, target, 0, features);
        model.minimise(gradient, theta, target);
        double slope = aim();
        if (slope > ROUNDING * objective()) {
            // Where columns depend on each other, rounding may lead far up.
            model.relax(gradient, theta, target);
            slope = aim();
        }
        return slope;
    }

    /** Directs the next step to the target. */
    private double aim() {
        double slope = 0;
        for (int c = 0; c < features; c++) {
            direction[c] = target[c] - theta[c];
            slope = Math.fma(gradient[c], direction[c], slope + prices[c] * (Math.abs(target[c]) - Math.abs(theta[c])));
        }
        return slope;
    }

    /** The curvature with which a step down the gradient would bring the objective to 0, in every direction. */
    private double guessed() {
        double squares = 0;
        for (int c = 0; c < features; c++) {
            squares += gradient[c] * gradient[c];
        }
        return Math.max(lambda, squares / (2 * objective()));
    }

    private void spread(double curvature) {
        for (int c = 0; c < features; c++) {
            matrix[c * features + c] = curvature;
        }
    }

    @Override
    double slope() {
        double slope = 0;
        for (int c = 0; c < features; c++) {
            slope = Math.fma(gradient[c] + prices[c] * Math.signum(theta[c]), direction[c], slope);
        }
        return slope;
    }

    /** Gives the matrix the curvature along the last step that the gradients at its ends have told (BFGS). */
    @Override
    void remember() {
        double changed = 0;
        double squares = 0;
        for (int c = 0; c < features; c++) {
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
    void save(DataOutput out) throws IOException {
        super.save(out);
        out.writeInt(passes);
        out.writeBoolean(blank);
    }

    @Override
    void restore(DataInput in) throws IOException {
        super.restore(in);
        passes = in.readInt();
        blank = in.readBoolean();
    }
}
