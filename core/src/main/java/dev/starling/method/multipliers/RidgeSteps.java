package dev.starling.method.multipliers;

import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import dev.starling.method.sums.CurvatureMemory;
import dev.starling.node.State;
import java.io.IOException;

/**
 * Newton steps for a smooth regulariser. If no Hessian may be computed it is approximated from gradients (L-BFGS),
 * starting with the last Hessian if there was one.
 */
final class RidgeSteps implements StepRule {

    private final int features;
    private final double[] factor;
    private final CurvatureMemory memory;
    private boolean factorised;

    /**
     * Creates the rule without any Hessian yet.
     *
     * @param direct whether there will be Hessians
     */
    RidgeSteps(int features, boolean direct) {
        this.features = features;
        this.factor = new double[direct ? features * features : 0];
        this.memory = new CurvatureMemory(features);
    }

    @Override
    public void take(double[] hessian) {
        System.arraycopy(hessian, 0, factor, 0, factor.length);
        Cholesky.factorise(factor, features);
        factorised = true;
        memory.clear();
    }

    @Override
    public double computeDirection(double[] theta, double[] gradient, double objective, double[] direction) {
        double slope = computeDirection(gradient, direction);
        if (!(slope < 0) && !memory.isEmpty()) {
            memory.clear();
            slope = computeDirection(gradient, direction);
        }
        if (!(slope < 0) || factorised || !memory.isEmpty()) {
            return slope;
        }
        // This step would bring the objective to 0 if it were linear: right up to a factor, whatever the scale of the
        // features.
        double scale = objective / -slope;
        for (int c = 0; c < features; c++) {
            direction[c] *= scale;
        }
        return slope * scale;
    }

    private double computeDirection(double[] gradient, double[] direction) {
        memory.takeAway(gradient, direction);
        if (factorised) {
            Cholesky.solve(factor, features, direction, direction);
        } else {
            memory.scale(direction);
        }
        memory.giveBack(direction);
        return Vectors.dotInTurn(gradient, direction, features);
    }

    @Override
    public void remember(double[] from, double[] to, double[] gradientFrom, double[] gradientTo) {
        memory.add(from, to, gradientFrom, gradientTo);
    }

    @Override
    public void forget() {
        memory.clear();
    }

    @Override
    public void state(State s) throws IOException {
        s.vector(factor);
        factorised = s.flag(factorised);
        memory.state(s);
    }
}
