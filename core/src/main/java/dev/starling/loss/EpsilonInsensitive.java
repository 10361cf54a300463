package dev.starling.loss;

import dev.starling.data.InvalidInputException;

/**
 * ℓ(u; y) = max(0, |u − y| − ε): support vector regression.
 *
 * @param tolerance ε, the error that costs nothing; {@value #DEFAULT_TOLERANCE} if not given
 */
public record EpsilonInsensitive(double tolerance) implements Loss {

    private static final double DEFAULT_TOLERANCE = 0.1;

    /** The loss with tolerance DEFAULT_TOLERANCE. */
    public EpsilonInsensitive() {
        this(DEFAULT_TOLERANCE);
    }

    /** The loss with a given tolerance: zero or a positive number. */
    public EpsilonInsensitive {
        if (!(tolerance >= 0 && tolerance <= Double.MAX_VALUE)) {
            throw new InvalidInputException(
                    "the tolerance of the loss is " + tolerance + "; it must be zero or a positive number");
        }
    }

    @Override
    public String name() {
        return "epsilon-insensitive(" + tolerance + ")";
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
    public double smoothness() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public boolean isClassification() {
        return false;
    }

    @Override
    public double smallestSlope(double label) {
        return -1;
    }

    @Override
    public double largestSlope(double label) {
        return 1;
    }

    // Within ε nothing moves. The kinks y ± ε hold the points at most b outside, with |s| = (|t − y| − ε)/b; the others
    // move by b towards y.

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
    public double conjugate(double slope, double label) {
        if (!(slope >= smallestSlope(label) && slope <= largestSlope(label))) {
            return Double.isNaN(slope) ? Double.NaN : Double.POSITIVE_INFINITY;
        }
        return slope * label + tolerance * Math.abs(slope);
    }
}
