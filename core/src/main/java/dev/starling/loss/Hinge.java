package dev.starling.loss;

/** ℓ(u; y) = max(0, 1 − yu), y = ±1: the support vector machine. */
public record Hinge() implements MarginLoss, PiecewiseLinearLoss {

    @Override
    public String name() {
        return "hinge";
    }

    @Override
    public double value(double margin, double label) {
        return Math.max(0, 1 - label * margin);
    }

    @Override
    public double derivative(double margin, double label) {
        return label * margin < 1 ? -label : 0;
    }

    // With s = −yp, μ = ym, t = y·point: μ = t + bp. Either p = 0 and t ≥ 1, or p = 1 and t + b ≤ 1, or the point moves
    // to the kink, μ = 1, and p = (1 − t)/b.

    @Override
    public double prox(double point, double step, double label, double start) {
        double slack = 1 - label * point;
        return slack <= 0 ? point : slack >= step ? point + label * step : label;
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        double slack = 1 - label * point;
        return slack <= 0 ? 0 : slack >= step ? -label : -label * (slack / step);
    }

    // ℓ*(s) = ys for −1 ≤ ys ≤ 0

    @Override
    public double conjugateInDomain(double slope, double label) {
        return label * slope;
    }
}
