package dev.starling.method.multipliers;

import dev.starling.certificate.Certificate;
import dev.starling.loss.Loss;
import dev.starling.method.sums.FreeIntercept;
import dev.starling.problem.Rounding;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a sum over all samples proves, with the slopes as dual point: P − D is the mean excess of the slopes and
 * ‖gradient‖²/(2λ), and what an l1 term and a free intercept add to that.
 *
 * @param objective P(θ)
 * @param uncertain by how much rounding may have changed it
 * @param gap P(θ) − D(s)
 * @param most what the gap may be in exact arithmetic
 */
record Proof(double objective, double uncertain, double gap, double most) {

    /** Roundings of a block of losses, which are added up one by one, with room to spare. */
    private static final int LOSS_OPERATIONS = 4 * Loss.BLOCK;

    /** Roundings of one slope and its excess, with room to spare. */
    private static final int SLOPE_OPERATIONS = 16;

    static final Proof NONE =
            new Proof(Double.POSITIVE_INFINITY, 0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /**
     * That of the totals at a point.
     *
     * @param free the gradient, balanced where there is a free intercept
     * @param lack what that lacks of being optimal
     * @param norm ‖θ‖² of the weights that are regularised
     * @param absolute ‖θ‖₁ of them where it has a price, otherwise 0
     */
    static Proof of(
            double[] totals,
            int features,
            Penalty penalty,
            FreeIntercept free,
            Penalty.Lack lack,
            double norm,
            double absolute) {
        double weight = totals[GradientLayout.WEIGHT];
        double lambda = penalty.lambda();
        double priced = penalty.l1() * absolute;
        double objective = totals[GradientLayout.LOSS] / weight + 0.5 * lambda * norm + priced;
        double few = SLOPE_OPERATIONS * Rounding.UNIT;
        double many = (LOSS_OPERATIONS + features) * Rounding.UNIT;
        double length = (1 + features * Rounding.UNIT) * Math.sqrt(lack.squares())
                + totals[GradientLayout.SPREAD] / weight
                + free.length()
                + few * (lambda * Math.sqrt(norm) + lack.pull());
        double excess = ((1 + many) * totals[GradientLayout.EXCESS] + totals[GradientLayout.SLACK]) / weight;
        return new Proof(
                objective,
                totals[GradientLayout.ERROR] / weight + many * objective,
                totals[GradientLayout.EXCESS] / weight + lack.squares() / (2 * lambda) + lack.price() + free.shrunk(),
                (1 + few) * (length * length / (2 * lambda) + lack.price() + many * priced + excess + free.slack()));
    }

    /** What the dual value is at least. */
    double least() {
        return objective - uncertain - most;
    }

    /** The certificate of this point by its own slopes. */
    Certificate certificate(long steps, double epochs) {
        double dual = objective - gap;
        return certificate(dual, most, steps, epochs);
    }

    /** The certificate of this point by the slopes of another. */
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

    void save(DataOutput out) throws IOException {
        out.writeDouble(objective);
        out.writeDouble(uncertain);
        out.writeDouble(gap);
        out.writeDouble(most);
    }

    static Proof restore(DataInput in) throws IOException {
        return new Proof(in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble());
    }
}
