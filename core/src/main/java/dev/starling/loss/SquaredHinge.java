package dev.starling.loss;

/** ℓ(u; y) = max(0, 1 − yu)²/2, y = ±1: the support vector machine with squared slack. */
public record SquaredHinge() implements MarginLoss {

    @Override
    public String name() {
        return "squared-hinge";
    }

    @Override
    public double value(double margin, double label) {
        double slack = Math.max(0, 1 - label * margin);
        return 0.5 * slack * slack;
    }

    @Override
    public double derivative(double margin, double label) {
        return -label * Math.max(0, 1 - label * margin);
    }

    @Override
    public double curvature(double margin, double label) {
        return label * margin < 1 ? 1 : 0;
    }

    @Override
    public double smoothness() {
        return 1;
    }

    @Override
    public double smallestSlope(double label) {
        return label > 0 ? Double.NEGATIVE_INFINITY : 0;
    }

    // With μ = ym, t = y·point: a point with t ≥ 1 does not move. Otherwise μ − b (1 − μ) = t, so
    // μ = (t + b)/(1 + b) and s = −y (1 − μ) = −y (1 − t)/(1 + b).

    @Override
    public double prox(double point, double step, double label, double start) {
        return label * point >= 1 ? point : (point + step * label) / (1 + step);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        return -label * (Math.max(0, 1 - label * point) / (1 + step));
    }

    // ℓ*(s) = s²/2 + ys for ys ≤ 0

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * (0.5 * slope + label);
    }
}
