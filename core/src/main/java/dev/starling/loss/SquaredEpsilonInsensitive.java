package dev.starling.loss;

/**
 * ℓ(u; y) = max(0, |u − y| − ε)²/2: support vector regression with squared slack.
 *
 * @param tolerance ε, the error that costs nothing; 0.1 if not given
 */
public record SquaredEpsilonInsensitive(double tolerance) implements ResidualLoss {

    /** Validates the tolerance: zero or a positive number. */
    public SquaredEpsilonInsensitive {
        LossParameter.checkZeroOrPositive("tolerance", tolerance);
    }

    @Override
    public String name() {
        return "squared-epsilon-insensitive(" + tolerance + ")";
    }

    @Override
    public int degree() {
        return 2;
    }

    @Override
    public Loss inUnits(double multiplied) {
        return new SquaredEpsilonInsensitive(multiplied * tolerance);
    }

    @Override
    public double value(double margin, double label) {
        double excess = derivative(margin, label);
        return 0.5 * excess * excess;
    }

    @Override
    public double derivative(double margin, double label) {
        double residual = margin - label;
        return Math.copySign(Math.max(0, Math.abs(residual) - tolerance), residual);
    }

    @Override
    public double curvature(double margin, double label) {
        return Math.abs(margin - label) > tolerance ? 1 : 0;
    }

    @Override
    public double smoothness() {
        return 1;
    }

    // Beyond the tolerance this is least squares towards the nearer edge, y ± ε; within it, points do not move.

    @Override
    public double prox(double point, double step, double label, double start) {
        double residual = point - label;
        if (Math.abs(residual) <= tolerance) {
            return point;
        }
        return (point + step * (label + Math.copySign(tolerance, residual))) / (1 + step);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        return derivative(point, label) / (1 + step);
    }

    // ℓ*(s) = s²/2 + sy + ε|s|

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * (0.5 * slope + label) + tolerance * Math.abs(slope);
    }
}
