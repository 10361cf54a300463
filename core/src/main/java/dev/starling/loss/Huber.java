package dev.starling.loss;

/**
 * ℓ(u; y) = (u − y)²/2 for |u − y| ≤ δ, δ|u − y| − δ²/2 beyond: least squares that is robust to outliers.
 *
 * @param threshold δ, where the loss becomes linear; 1 if not given
 */
public record Huber(double threshold) implements ResidualLoss {

    /** Validates the threshold: a positive number. */
    public Huber {
        LossParameter.checkPositive("threshold", threshold, 1e-60);
    }

    @Override
    public String name() {
        return "huber(" + threshold + ")";
    }

    @Override
    public int degree() {
        return 2;
    }

    @Override
    public Loss inUnits(double multiplied) {
        return new Huber(multiplied * threshold);
    }

    @Override
    public double value(double margin, double label) {
        double distance = Math.abs(margin - label);
        return distance <= threshold ? 0.5 * distance * distance : threshold * (distance - 0.5 * threshold);
    }

    @Override
    public double derivative(double margin, double label) {
        return clamp(margin - label, label);
    }

    @Override
    public double curvature(double margin, double label) {
        return Math.abs(margin - label) <= threshold ? 1 : 0;
    }

    @Override
    public double smoothness() {
        return 1;
    }

    @Override
    public double smallestSlope(double label) {
        return -threshold;
    }

    // Quadratic part: m = (t + b y)/(1 + b), s = (t − y)/(1 + b); beyond |s| = δ the slope stays there and m = t − bs.

    @Override
    public double prox(double point, double step, double label, double start) {
        double slope = (point - label) / (1 + step);
        return Math.abs(slope) <= threshold ? (point + step * label) / (1 + step) : point - step * clamp(slope, label);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        return clamp((point - label) / (1 + step), label);
    }

    // ℓ*(s) = s²/2 + sy for |s| ≤ δ

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * (0.5 * slope + label);
    }
}
