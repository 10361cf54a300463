package dev.starling.loss;

/**
 * ℓ(u; y) = q max(0, y − u) + (1 − q) max(0, u − y), the pinball loss: regression to the quantile q of the label.
 *
 * @param level q, between 0 and 1; 0.5, the median, if not given
 */
public record Quantile(double level) implements ResidualLoss, PiecewiseLinearLoss {

    /** Validates the level: between 0 and 1, both excluded. */
    public Quantile {
        LossParameter.checkFraction("level", level);
    }

    @Override
    public String name() {
        return "quantile(" + level + ")";
    }

    @Override
    public int degree() {
        return 1;
    }

    @Override
    public double value(double margin, double label) {
        double residual = margin - label;
        return residual >= 0 ? (1 - level) * residual : -level * residual;
    }

    @Override
    public double derivative(double margin, double label) {
        return margin >= label ? 1 - level : -level;
    }

    @Override
    public double smallestSlope(double label) {
        return -level;
    }

    @Override
    public double largestSlope(double label) {
        return 1 - level;
    }

    // Points t from y − bq to y + b(1 − q) move to the kink, m = y, with s = (t − y)/b; the others move by bq or
    // b(1 − q) towards it.

    @Override
    public double prox(double point, double step, double label, double start) {
        double residual = point - label;
        if (residual <= -step * level) {
            return point + step * level;
        }
        return residual >= step * (1 - level) ? point - step * (1 - level) : label;
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        double residual = point - label;
        if (residual <= -step * level) {
            return -level;
        }
        return residual >= step * (1 - level) ? 1 - level : clamp(residual / step, label);
    }

    // ℓ*(s) = sy for −q ≤ s ≤ 1 − q

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * label;
    }
}
