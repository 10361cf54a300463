package dev.starling.method.multipliers;

import dev.starling.internal.Vectors;
import dev.starling.method.sums.KinkedQuadratic;
import dev.starling.node.State;
import java.io.IOException;

/**
 * Steps with an l1 term: each leads to the minimum of the second-order model of the smooth part plus λ₁‖θ‖₁ itself, at
 * which weights that are not worth their price are 0. If no new Hessian is available, the last one is used, updated
 * with later gradients.
 */
final class NetSteps implements StepRule {

    private final int features;
    private final Penalty penalty;
    private final double[] matrix;
    private final KinkedQuadratic model;
    private final double[] target;
    private boolean known;

    NetSteps(int features, Penalty penalty) {
        this.features = features;
        this.penalty = penalty;
        this.matrix = new double[features * features];
        this.model = new KinkedQuadratic(matrix, penalty.prices(features));
        this.target = new double[features];
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
    public double computeDirection(double[] theta, double[] gradient, double objective, double[] direction) {
        if (!known) {
            guess(gradient, objective);
        }
        System.arraycopy(theta, 0, target, 0, features);
        model.minimise(gradient, theta, target);
        for (int c = 0; c < features; c++) {
            direction[c] = target[c] - theta[c];
        }
        return Vectors.dotInTurn(gradient, direction, features) + penalty.kinkSlope(theta, direction, 0);
    }

    /**
     * Sets the curvature in every direction to the one with which a step down the gradient would bring the objective to
     * 0.
     */
    private void guess(double[] gradient, double objective) {
        double squares = Vectors.dotInTurn(gradient, gradient, features);
        for (int c = 0; c < features; c++) {
            matrix[c * features + c] = Math.max(penalty.lambda(), squares / (2 * objective));
        }
    }

    @Override
    public void remember(double[] from, double[] to, double[] gradientFrom, double[] gradientTo) {
        model.learn(from, gradientFrom, to, gradientTo);
        known = true;
    }

    @Override
    public void forget() {}

    @Override
    public void state(State s) throws IOException {
        s.vector(matrix);
        known = s.flag(known);
    }
}
