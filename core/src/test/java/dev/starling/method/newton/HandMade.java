package dev.starling.method.newton;

import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;

/**
 * Totals of a pass that are made by hand: what the method is to find where it looks, whatever the rows may be that have
 * it there.
 */
final class HandMade {

    private static final int OVERFLOWS = 2;

    private final PassLayout layout;
    private final double lambda;
    private final double weight;
    private double slack;
    private double spread;
    private double error;

    /** Totals over rows of some weight, where λ is this. */
    HandMade(PassLayout layout, double lambda, double weight) {
        this.layout = layout;
        this.lambda = lambda;
        this.weight = weight;
    }

    /** From now on rounding may have done so much to what a mean is of. */
    HandMade rounded(double newError, double newSlack, double newSpread) {
        error = newError;
        slack = newSlack;
        spread = newSpread;
        return this;
    }

    /** Totals that make the objective and its gradient these where the method looks next. */
    double[] totals(Newton newton, double objective, double... gradient) {
        return totals(newton, objective, gradient, new double[0]);
    }

    /**
     * The same with a Hessian.
     *
     * @param hessian its lower half, by rows; that of the objective, the regulariser's part included
     */
    double[] totals(Newton newton, double objective, double[] gradient, double[] hessian) {
        return totals(
                newton.passSums(),
                newton.point(),
                lambda,
                layout.parameters() - (layout.intercept() ? 1 : 0),
                objective,
                gradient,
                hessian);
    }

    /** The same where the ridge is another. */
    double[] totals(
            PassSums order,
            double[] point,
            double ridge,
            int regularised,
            double objective,
            double[] gradient,
            double[] hessian) {
        double[] sums = new double[layout.length(order)];
        double loss = objective;
        for (int c = 0; c < layout.parameters(); c++) {
            double share = c < regularised ? ridge : 0;
            loss -= share / 2 * point[c] * point[c];
            sums[PassLayout.GRADIENT + c] = weight * (gradient[c] - share * point[c]);
        }
        int diagonal = 0;
        int row = 0;
        for (int k = 0; k < hessian.length; k++) {
            boolean onDiagonal = k == diagonal;
            sums[layout.hessian() + k] = weight * (hessian[k] - (onDiagonal && row < regularised ? ridge : 0));
            if (onDiagonal) {
                row++;
                diagonal += row + 1;
            }
        }
        sums[PassLayout.LOSS] = weight * loss;
        sums[PassLayout.WEIGHT] = weight;
        sums[PassLayout.ERROR] = weight * error;
        sums[PassLayout.SLACK] = weight * slack;
        sums[PassLayout.SPREAD] = weight * spread;
        return sums;
    }

    /** Totals of numbers that were too large to be added up. */
    double[] tooLarge(Newton newton) {
        double[] sums = new double[layout.length(newton.passSums())];
        sums[OVERFLOWS] = 1;
        return sums;
    }
}
