package dev.starling.loss;

import dev.starling.data.InvalidInputException;
import java.util.OptionalDouble;

/**
 * Half the unit deviance of positive numbers y whose variance is a power q > 1 of their mean μ = e^η: gamma with q = 2,
 * inverse Gaussian with q = 3, Tweedie's distributions, which may be 0, in between 1 and 2. With u = ln y − η, c = 2 −
 * q and e₂(u) = e^u − 1 − u, ℓ = μ^c (c e₂(u) − e₂(cu))/(c (1 − c)), ℓ' = −μ^c (e^u − 1) and ℓ'' = μ^c (c + (1 − c)
 * e^u). The inverse Gaussian is not convex.
 *
 * @param power q
 */
public record PowerVariance(double power) implements Likelihood {

    /** q of the gamma distribution. */
    public static final double GAMMA = 2;

    /** q of the inverse Gaussian distribution. */
    public static final double INVERSE_GAUSSIAN = 3;

    private static final double LOG_2PI = 1.8378770664093454836;

    /** Checks the power. */
    public PowerVariance {
        if (!(power > 1 && power <= GAMMA) && power != INVERSE_GAUSSIAN) {
            throw new InvalidInputException(
                    "tweedie(" + power + "): the power of the mean must be between 1 and 2, for example tweedie(1.5)");
        }
    }

    @Override
    public String name() {
        return family();
    }

    @Override
    public String family() {
        return isTweedie() ? "tweedie(" + power + ")" : power == GAMMA ? "gamma" : "inverse-gaussian";
    }

    private boolean isTweedie() {
        return power < GAMMA;
    }

    /** c. */
    private double rest() {
        return 2 - power;
    }

    private double powerOfMean(double margin) {
        return power == GAMMA ? 1 : Elementary.exp(rest() * margin);
    }

    @Override
    public double value(double margin, double label) {
        double c = rest();
        double scale = powerOfMean(margin);
        if (label == 0) {
            return scale / c;
        }
        double u = Elementary.log(label) - margin;
        if (power == GAMMA) {
            return Elementary.expm2(u);
        }
        if (power == INVERSE_GAUSSIAN) {
            double relative = Elementary.expm1(u);
            return relative * relative / (2 * label);
        }
        return scale * Math.max(0, c * Elementary.expm2(u) - Elementary.expm2(c * u)) / (c * (1 - c));
    }

    @Override
    public double derivative(double margin, double label) {
        return label == 0
                ? powerOfMean(margin)
                : -powerOfMean(margin) * Elementary.expm1(Elementary.log(label) - margin);
    }

    @Override
    public double curvature(double margin, double label) {
        double c = rest();
        double ratio = label == 0 ? 0 : Elementary.exp(Elementary.log(label) - margin);
        return powerOfMean(margin) * (c + (1 - c) * ratio);
    }

    /** For gamma, computes the logarithm of each label and e^u − 1 once, with the bits of the methods above. */
    @Override
    public double evaluate(
            int count, double[] margins, double[] labels, double[] weights, double[] slopes, double[] curvatures) {
        if (power != GAMMA) {
            return Likelihood.super.evaluate(count, margins, labels, weights, slopes, curvatures);
        }
        double sum = 0;
        for (int k = 0; k < count; k++) {
            double weight = weights == null ? 1 : weights[k];
            double u = Elementary.log(labels[k]) - margins[k];
            double growth = Elementary.expm1(u);
            sum += weight * Elementary.expm2(u, growth);
            slopes[k] = weight * -growth;
            curvatures[k] = weight * Elementary.exp(u);
        }
        return sum;
    }

    @Override
    public boolean isThirdBounded() {
        return true;
    }

    @Override
    public double selfConcordance() {
        return isConvex() ? Math.max(rest(), 1 - rest()) : Double.POSITIVE_INFINITY;
    }

    /** ℓ is a sum of exponentials of the margin, and so is ℓ'''. */
    @Override
    public double thirdWithin(double margin, double label, double radius) {
        double c = rest();
        double ofLabel = label == 0
                ? 0
                : (power - 1) * (power - 1) * Elementary.exp(Elementary.log(label) + (power - 1) * (radius - margin));
        return ofLabel + c * c * Elementary.exp(c * margin + Math.abs(c) * radius);
    }

    @Override
    public boolean isConvex() {
        return power <= GAMMA;
    }

    @Override
    public LabelDomain domain() {
        return isTweedie() ? LabelDomain.NOT_NEGATIVE : LabelDomain.POSITIVE;
    }

    @Override
    public Link link() {
        return Link.LOG;
    }

    @Override
    public double labelSize(double label) {
        return label == 0 ? 0 : Math.abs(Elementary.log(label));
    }

    /** ℓ' runs from −∞ up to 1 for gamma; for Tweedie's distributions of a label of 0, from 0 to ∞. */
    @Override
    public double smallestSlope(double label) {
        return label == 0 ? 0 : Double.NEGATIVE_INFINITY;
    }

    @Override
    public double largestSlope(double label) {
        return power == GAMMA ? 1 : Double.POSITIVE_INFINITY;
    }

    @Override
    public double information(double margin) {
        return powerOfMean(margin);
    }

    @Override
    public double informationChange(double margin, double radius) {
        return Math.abs(rest());
    }

    @Override
    public double variance(double mean) {
        return power == GAMMA
                ? mean * mean
                : power == INVERSE_GAUSSIAN ? mean * mean * mean : Elementary.exp(power * Elementary.log(mean));
    }

    @Override
    public double varianceSlope(double mean) {
        return power * variance(mean) / mean;
    }

    @Override
    public double constant(double label, double weight) {
        return isTweedie() ? 0 : -weight * Elementary.log(label);
    }

    @Override
    public boolean isCanonical() {
        return false;
    }

    /** {@inheritDoc} The dispersion is estimated as the mean deviance, as in R. */
    @Override
    public OptionalDouble logLikelihood(double rows, double weight, double deviance, double constant) {
        if (isTweedie()) {
            return OptionalDouble.empty();
        }
        double dispersion = deviance / weight;
        double half = weight * (0.5 + 0.5 * (LOG_2PI + Elementary.log(dispersion)));
        return OptionalDouble.of(
                power == GAMMA ? constant - half - weight * Stirling.error(1 / dispersion) : 1.5 * constant - half);
    }
}
