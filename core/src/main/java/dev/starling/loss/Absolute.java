package dev.starling.loss;

/** ℓ(u; y) = |u − y|: least absolute deviations, regression to the median. */
public record Absolute() implements ResidualLoss, PiecewiseLinearLoss {

    @Override
    public String name() {
        return "absolute";
    }

    @Override
    public int degree() {
        return 1;
    }

    @Override
    public double value(double margin, double label) {
        return Math.abs(margin - label);
    }

    @Override
    public double derivative(double margin, double label) {
        return Math.signum(margin - label);
    }

    @Override
    public double smallestSlope(double label) {
        return -1;
    }

    // Every point t within b of the kink m = y moves to it, with s = (t − y)/b; the others move by b towards it.

    @Override
    public double prox(double point, double step, double label, double start) {
        double residual = point - label;
        return Math.abs(residual) <= step ? label : point - Math.copySign(step, residual);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        double residual = point - label;
        return Math.abs(residual) >= step ? Math.signum(residual) : residual / step;
    }

    // ℓ*(s) = sy for |s| ≤ 1

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * label;
    }
}
