package dev.starling.loss;

/**
 * ℓ(u; y) = max(0, |u − y| − ε): support vector regression.
 *
 * @param tolerance ε, the error that costs nothing; 0.1 if not given
 */
public record EpsilonInsensitive(double tolerance) implements ResidualLoss, PiecewiseLinearLoss {

    /** Validates the tolerance: zero or a positive number. */
    public EpsilonInsensitive {
        LossParameter.checkZeroOrPositive("tolerance", tolerance);
    }

    @Override
    public String name() {
        return "epsilon-insensitive(" + tolerance + ")";
    }

    @Override
    public int degree() {
        return 1;
    }

    @Override
    public Loss inUnits(double multiplied) {
        return new EpsilonInsensitive(multiplied * tolerance);
    }

    @Override
    public double value(double margin, double label) {
        return Math.max(0, Math.abs(margin - label) - tolerance);
    }

    @Override
    public double derivative(double margin, double label) {
        double residual = margin - label;
        return Math.abs(residual) > tolerance ? Math.signum(residual) : 0;
    }

    @Override
    public double smallestSlope(double label) {
        return -1;
    }

    // A point t within ε of y does not move. One at most b outside moves to the kink, y ± ε, and there
    // |s| = (|t − y| − ε)/b; the others move by b towards y.

    @Override
    public double prox(double point, double step, double label, double start) {
        double residual = point - label;
        double excess = Math.abs(residual) - tolerance;
        if (excess <= 0) {
            return point;
        }
        return excess >= step ? point - Math.copySign(step, residual) : label + Math.copySign(tolerance, residual);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        double residual = point - label;
        double excess = Math.abs(residual) - tolerance;
        double size = excess <= 0 ? 0 : excess >= step ? 1 : excess / step;
        return Math.copySign(size, residual);
    }

    // ℓ*(s) = sy + ε|s| for |s| ≤ 1

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * label + tolerance * Math.abs(slope);
    }
}
