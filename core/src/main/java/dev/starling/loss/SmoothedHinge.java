package dev.starling.loss;

/**
 * ℓ(u; y) = 0 for yu ≥ 1, 1 − yu − g/2 for yu ≤ 1 − g, (1 − yu)²/(2g) between, y = ±1: the hinge with its kink rounded
 * over a band of width g.
 *
 * @param band g, the width of the band; 1 if not given: the slope then goes from −1 to 0 between the decision boundary
 *     and the margin, and β = 1
 */
public record SmoothedHinge(double band) implements MarginLoss {

    /** Validates the band: a positive number. */
    public SmoothedHinge {
        LossParameter.checkPositive("band", band, LossParameter.LEAST);
    }

    @Override
    public String name() {
        return "smoothed-hinge(" + band + ")";
    }

    @Override
    public double value(double margin, double label) {
        double slack = 1 - label * margin;
        return slack <= 0 ? 0 : slack < band ? 0.5 * slack * (slack / band) : slack - 0.5 * band;
    }

    @Override
    public double derivative(double margin, double label) {
        return -label * fraction(1 - label * margin, band);
    }

    @Override
    public double curvature(double margin, double label) {
        double slack = 1 - label * margin;
        // With the default band, every sample is at an end of the band when a run starts at zero, and must not
        // appear to be flat there.
        return slack >= 0 && slack <= band ? 1 / band : 0;
    }

    @Override
    public double smoothness() {
        return 1 / band;
    }

    /** slack/width, kept within 0 and 1. */
    private static double fraction(double slack, double width) {
        return slack <= 0 ? 0 : slack >= width ? 1 : slack / width;
    }

    // With s = −yp, μ = ym, t = y·point: on the band p = (1 − μ)/g and μ − bp = t, so p = (1 − t)/(g + b); off it p is
    // 0 or 1. On the band μ = (g t + b)/(g + b).

    @Override
    public double prox(double point, double step, double label, double start) {
        double slack = 1 - label * point;
        if (slack <= 0) {
            return point;
        }
        return slack >= band + step ? point + label * step : (band * point + step * label) / (band + step);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        return -label * fraction(1 - label * point, band + step);
    }

    // ℓ*(s) = ys + g s²/2 for −1 ≤ ys ≤ 0

    @Override
    public double conjugateInDomain(double slope, double label) {
        return slope * (label + 0.5 * band * slope);
    }
}
