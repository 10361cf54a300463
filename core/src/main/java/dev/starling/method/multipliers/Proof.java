package dev.starling.method.multipliers;

import dev.starling.certificate.Certificate;
import dev.starling.loss.Loss;
import dev.starling.method.sums.FreeIntercept;
import dev.starling.node.State;
import dev.starling.problem.Rounding;
import java.io.IOException;

/**
 * What a sum over all samples proves with the slopes as the dual point: P − D is the mean excess of the slopes plus
 * ‖gradient‖²/(2λ), plus what an l1 term and a free intercept add.
 *
 * @param objective P(θ)
 * @param uncertain a bound on its rounding error
 * @param gap P(θ) − D(s)
 * @param most an upper bound on the gap in exact arithmetic
 */
record Proof(double objective, double uncertain, double gap, double most) {

    /** The number of roundings in a block of losses, which are added up one by one, with room to spare. */
    private static final int LOSS_OPERATIONS = 4 * Loss.BLOCK;

    /** The number of roundings in one slope and its excess, with room to spare. */
    private static final int SLOPE_OPERATIONS = 16;

    static final Proof NONE =
            new Proof(Double.POSITIVE_INFINITY, 0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /**
     * Returns what totals prove about a point.
     *
     * @param free the gradient, balanced if there is a free intercept
     * @param residual how far that gradient is from being optimal
     * @param norm ‖θ‖² of the weights that are regularised
     * @param absolute ‖θ‖₁ of these weights, or 0 without an l1 term
     */
    static Proof of(
            double[] totals,
            int features,
            Penalty penalty,
            FreeIntercept free,
            Penalty.Residual residual,
            double norm,
            double absolute) {
        double weight = totals[GradientLayout.WEIGHT];
        double lambda = penalty.lambda();
        double priced = penalty.l1() * absolute;
        double objective = totals[GradientLayout.LOSS] / weight + 0.5 * lambda * norm + priced;
        double few = SLOPE_OPERATIONS * Rounding.UNIT;
        double many = (LOSS_OPERATIONS + features) * Rounding.UNIT;
        double length = (1 + features * Rounding.UNIT) * Math.sqrt(residual.squares())
                + totals[GradientLayout.SPREAD] / weight
                + free.length()
                + few * (lambda * Math.sqrt(norm) + residual.pull());
        double excess = ((1 + many) * totals[GradientLayout.EXCESS] + totals[GradientLayout.SLACK]) / weight;
        return new Proof(
                objective,
                totals[GradientLayout.ERROR] / weight + many * objective,
                totals[GradientLayout.EXCESS] / weight
                        + residual.squares() / (2 * lambda)
                        + residual.price()
                        + free.shrunk(),
                (1 + few)
                        * (length * length / (2 * lambda) + residual.price() + many * priced + excess + free.slack()));
    }

    /** Returns a lower bound on the dual value in exact arithmetic. */
    double least() {
        return objective - uncertain - most;
    }

    /** Returns the certificate of this point by its own slopes. */
    Certificate certificate(long steps, double epochs) {
        double dual = objective - gap;
        return certificate(dual, most, steps, epochs);
    }

    /** Returns the certificate of this point by the slopes of another. */
    Certificate certificate(Proof other, long steps, double epochs) {
        double dual = Math.min(objective, other.objective - other.gap);
        return certificate(dual, objective + uncertain - other.least(), steps, epochs);
    }

    private Certificate certificate(double dual, double atMost, long steps, double epochs) {
        double relative = uncertain == 0 ? 1 : objective / Math.max(0, objective - uncertain);
        // The dual value is rounded too.
        double error = Math.max(0, atMost * relative - (objective - dual));
        return new Certificate(objective, dual, error, steps, epochs);
    }

    /** Returns this proof if it is saved, the saved one if it is restored. */
    Proof state(State s) throws IOException {
        return new Proof(s.number(objective), s.number(uncertain), s.number(gap), s.number(most));
    }
}
