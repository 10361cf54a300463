package dev.starling.method.multipliers;

import dev.starling.method.sums.KinkedQuadratic;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Steps with an l1 term: each leads to the minimum of the second-order model of what is smooth plus λ₁‖θ‖₁ itself,
 * where weights that are not worth their price are 0. Where there is no Hessian, the last one has to do, mended by what
 * gradients have told since.
 */
final class NetSteps implements Steps {

    /** A step along which the problem bends by less than this part of what was expected teaches nothing. */
    private static final double LEAST_CURVATURE = 1e-6;

    private final int features;
    private final Penalty penalty;
    private final double[] matrix;
    private final KinkedQuadratic model;
    private final double[] target;
    private final double[] image;
    private boolean known;

    NetSteps(int features, Penalty penalty) {
        this.features = features;
        this.penalty = penalty;
        this.matrix = new double[features * features];
        this.model = new KinkedQuadratic(matrix, penalty.prices(features));
        this.target = new double[features];
        this.image = new double[features];
    }

    @Override
    public void take(double[] hessian) {
        for (int i = 0; i < features; i++) {
            for (int j = 0; j <= i; j++) {
                matrix[i * features + j] = hessian[i * features + j];
                matrix[j * features + i] = hessian[i * features + j];
            }
        }
        known = true;
    }

    @Override
    public double direct(double[] theta, double[] gradient, double objective, double[] direction) {
        if (!known) {
            guess(gradient, objective);
        }
        System.arraycopy(theta, 0, target, 0, features);
        model.minimise(gradient, theta, target);
        for (int c = 0; c < features; c++) {
            direction[c] = target[c] - theta[c];
        }
        return SemismoothNewton.dot(gradient, direction, features) + penalty.kinkSlope(theta, direction, 0);
    }

    /** The curvature with which a step down the gradient would bring the objective to 0, in every direction. */
    private void guess(double[] gradient, double objective) {
        double squares = SemismoothNewton.dot(gradient, gradient, features);
        for (int c = 0; c < features; c++) {
            matrix[c * features + c] = Math.max(penalty.lambda(), squares / (2 * objective));
        }
    }

    /** The update of Broyden, Fletcher, Goldfarb and Shanno, which keeps the matrix positive definite. */
    @Override
    public void remember(double[] from, double[] to, double[] gradientFrom, double[] gradientTo) {
        double stretch = 0;
        double curvature = 0;
        for (int i = 0; i < features; i++) {
            double sum = 0;
            for (int j = 0; j < features; j++) {
                sum = Math.fma(matrix[i * features + j], to[j] - from[j], sum);
            }
            image[i] = sum;
            stretch = Math.fma(to[i] - from[i], sum, stretch);
            curvature = Math.fma(to[i] - from[i], gradientTo[i] - gradientFrom[i], curvature);
        }
        if (!(curvature > LEAST_CURVATURE * stretch)) {
            return;
        }
        known = true;
        for (int i = 0; i < features; i++) {
            for (int j = 0; j < features; j++) {
                double gained = (gradientTo[i] - gradientFrom[i]) * (gradientTo[j] - gradientFrom[j]) / curvature;
                matrix[i * features + j] += gained - image[i] * image[j] / stretch;
            }
        }
    }

    @Override
    public void forget() {}

    @Override
    public void save(DataOutput out) throws IOException {
        SavedState.writeDoubles(out, matrix);
        out.writeBoolean(known);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        SavedState.readDoubles(in, matrix);
        known = in.readBoolean();
    }
}
