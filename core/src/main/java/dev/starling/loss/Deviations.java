package dev.starling.loss;

/**
 * ℓ(u; y) = h max(0, u − y − ε) + l max(0, y − u − ε): least absolute deviations, regression to the median, if l = h =
 * 1 and ε = 0; support vector regression with a tolerance ε; the pinball loss, regression to the quantile q, if l = q
 * and h = 1 − q.
 *
 * @param name which of them it is
 * @param tolerance ε, the error that costs nothing
 * @param falling l
 * @param rising h
 */
public record Deviations(String name, double tolerance, double falling, double rising)
        implements ResidualLoss, PiecewiseLinearLoss {

    /** |u − y|. */
    public static Deviations absolute() {
        return new Deviations("absolute", 0, 1, 1);
    }

    /**
     * Support vector regression.
     *
     * @param tolerance ε, zero or a positive number
     */
    public static Deviations epsilonInsensitive(double tolerance) {
        LossParameter.checkZeroOrPositive("tolerance", tolerance);
        return new Deviations("epsilon-insensitive(" + tolerance + ")", tolerance, 1, 1);
    }

    /**
     * The pinball loss.
     *
     * @param level q, between 0 and 1, both excluded
     */
    public static Deviations quantile(double level) {
        LossParameter.checkFraction("level", level);
        return new Deviations("quantile(" + level + ")", 0, level, 1 - level);
    }

    @Override
    public int degree() {
        return 1;
    }

    @Override
    public Loss inUnits(double multiplied) {
        return tolerance == 0 ? this : epsilonInsensitive(multiplied * tolerance);
    }

    @Override
    public double value(double margin, double label) {
        double residual = margin - label;
        return Math.max(0, residual >= 0 ? rising * (residual - tolerance) : -falling * (residual + tolerance));
    }

    @Override
    public double derivative(double margin, double label) {
        double residual = margin - label;
        return residual > tolerance ? rising : residual < -tolerance ? -falling : 0;
    }

    @Override
    public double smallestSlope(double label) {
        return -falling;
    }

    @Override
    public double largestSlope(double label) {
        return rising;
    }

    // A point t within ε of y does not move. One at most bh (or bl) outside moves to the kink, y ± ε, and there
    // |s| = (|t − y| − ε)/b; the others move by bh (or bl) towards y.

    @Override
    public double prox(double point, double step, double label, double start) {
        double residual = point - label;
        double excess = Math.abs(residual) - tolerance;
        if (excess <= 0) {
            return point;
        }
        double most = step * (residual > 0 ? rising : falling);
        return excess >= most ? point - Math.copySign(most, residual) : label + Math.copySign(tolerance, residual);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        double residual = point - label;
        double excess = Math.abs(residual) - tolerance;
        double steepest = residual > 0 ? rising : falling;
        double size = excess <= 0 ? 0 : excess >= step * steepest ? steepest : Math.min(steepest, excess / step);
        return Math.copySign(size, residual);
    }

    // ℓ*(s) = sy + ε|s| for −l ≤ s ≤ h

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * label + tolerance * Math.abs(slope);
    }
}
