package dev.starling.loss;

import java.util.OptionalDouble;

/** ℓ(u; y) = (u − y)²/2: least squares, or ridge regression with the regulariser. */
public record Squared() implements ResidualLoss, Likelihood {

    private static final double LOG_2PI = 1.8378770664093454836;

    @Override
    public String name() {
        return "squared";
    }

    @Override
    public int degree() {
        return 2;
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

    @Override
    public boolean isClassification() {
        return false;
    }

    @Override
    public String family() {
        return "gaussian";
    }

    @Override
    public double variance(double mean) {
        return 1;
    }

    @Override
    public double varianceSlope(double mean) {
        return 0;
    }

    @Override
    public double constant(double label, double weight) {
        return 0.5 * Elementary.log(weight);
    }

    /** {@inheritDoc} The dispersion is estimated as the mean deviance, as in R. */
    @Override
    public OptionalDouble logLikelihood(double rows, double weight, double deviance, double constant) {
        return OptionalDouble.of(constant - 0.5 * rows * (LOG_2PI + Elementary.log(deviance / rows) + 1));
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
