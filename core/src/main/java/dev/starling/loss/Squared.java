package dev.starling.loss;

/** ℓ(u; y) = (u − y)²/2: least squares, or ridge regression with the regulariser. */
public record Squared() implements ResidualLoss {

    @Override
    public String name() {
        return "squared";
    }

    @Override
    public double value(double margin, double label) {
        double residual = margin - label;
        return 0.5 * residual * residual;
    }

    @Override
    public double derivative(double margin, double label) {
        return margin - label;
    }

    @Override
    public double curvature(double margin, double label) {
        return 1;
    }

    @Override
    public double smoothness() {
        return 1;
    }

    @Override
    public double selfConcordance() {
        return 0;
    }

    // m + b (m − y) = t, so m = (t + b y)/(1 + b) and s = m − y = (t − y)/(1 + b).

    @Override
    public double prox(double point, double step, double label, double start) {
        return (point + step * label) / (1 + step);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        return (point - label) / (1 + step);
    }

    // ℓ*(s) = s²/2 + s y

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * (0.5 * slope + label);
    }
}
