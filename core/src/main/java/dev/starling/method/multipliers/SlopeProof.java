package dev.starling.method.multipliers;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.GapBound;
import dev.starling.node.HiddenSum;
import dev.starling.objective.PassLayout;
import dev.starling.objective.Term;
import dev.starling.problem.Rounding;

/**
 * What a sum over all samples proves with the slopes as the dual point: P − D is the mean excess of the slopes plus
 * ‖gradient‖²/(2λ), plus what an l1 term and a free intercept add.
 */
final class SlopeProof {

    private SlopeProof() {}

    /**
     * Returns what totals prove about a point.
     *
     * @param free the gradient, balanced if there is a free intercept
     * @param residual how far that gradient is from being optimal
     * @param norm ‖θ‖² of the weights that are regularised
     * @param absolute ‖θ‖₁ of these weights, or 0 without an l1 term
     */
    static GapBound of(
            double[] totals,
            GradientLayout layout,
            Penalty penalty,
            FreeIntercept free,
            Penalty.Residual residual,
            double norm,
            double absolute) {
        double weight = totals[PassLayout.WEIGHT];
        double lambda = penalty.lambda();
        double priced = penalty.l1() * absolute;
        double objective = totals[PassLayout.LOSS] / weight + 0.5 * lambda * norm + priced;
        int features = layout.features();
        double few = Term.SLOPE_OPERATIONS * Rounding.UNIT;
        double many = (Term.VALUE_OPERATIONS + features) * Rounding.UNIT;
        double length = (1 + features * Rounding.UNIT) * Math.sqrt(residual.squares())
                + totals[PassLayout.SPREAD] / weight
                + free.length()
                + few * (lambda * Math.sqrt(norm) + residual.pull());
        double excess = ((1 + many) * totals[layout.excess()] + totals[PassLayout.SLACK]) / weight;
        // Nodes whose losses are not 0 add to the error what words may lose of them.
        boolean exactlyZero = objective == 0 && totals[PassLayout.ERROR] == 0;
        double lost = exactlyZero ? 0 : HiddenSum.lost(totals, weight, objective);
        return new GapBound(
                objective,
                totals[PassLayout.ERROR] / weight + many * objective,
                totals[layout.excess()] / weight + residual.squares() / (2 * lambda) + residual.price() + free.shrunk(),
                (1 + few) * (length * length / (2 * lambda) + residual.price() + many * priced + excess + free.slack())
                        + lost);
    }
}
