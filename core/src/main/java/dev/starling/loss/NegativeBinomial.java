package dev.starling.loss;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Half the unit deviance of counts y with mean μ = e^η and variance μ + μ²/k.
 *
 * @param size k, often called θ: the greater, the closer to a Poisson distribution
 */
public record NegativeBinomial(double size) implements Likelihood {

    private static final double SERIES_BELOW = 0.3;

    /** A size that was estimated has more digits than anybody wants to read. */
    private static final MathContext SHOWN = new MathContext(6);

    /** Checks the size. */
    public NegativeBinomial {
        LossParameter.checkPositive("size", size, LossParameter.LEAST);
    }

    @Override
    public String name() {
        return "negative-binomial(" + size + ")";
    }

    @Override
    public String family() {
        return "negative-binomial("
                + new BigDecimal(size).round(SHOWN).stripTrailingZeros().toPlainString() + ")";
    }

    @Override
    public double value(double margin, double label) {
        double mean = Elementary.exp(margin);
        if (label == 0) {
            return mean == Double.POSITIVE_INFINITY
                    ? size * (margin - Elementary.log(size))
                    : size * Elementary.log1p(mean / size);
        }
        double s = mean - label;
        double a = size * s / (mean * (label + size));
        double c = s / (mean + size);
        if (Math.abs(a) < SERIES_BELOW && Math.abs(c) < SERIES_BELOW) {
            double product = size * s;
            return Math.max(
                    0,
                    product / (mean * (label + size)) * (product / (mean + size))
                            + size * beyond(c)
                            - label * beyond(a));
        }
        // y ln(1 − a) − k ln(1 − c), with 1 − a = y (μ + k)/(μ (y + k)) and 1 − c = (y + k)/(μ + k)
        double together = mean == Double.POSITIVE_INFINITY ? margin : Elementary.log(mean + size);
        double logBoth = Elementary.log(label + size);
        return Math.max(0, label * (Elementary.log(label) - margin + together - logBoth) + size * (together - logBoth));
    }

    /** −ln(1 − x) − x. */
    private static double beyond(double x) {
        if (Math.abs(x) > 0x1p-6) {
            return -Elementary.log1p(-x) - x;
        }
        return x
                * x
                * (1.0 / 2 + x * (1.0 / 3 + x * (1.0 / 4 + x * (1.0 / 5 + x * (1.0 / 6 + x * (1.0 / 7 + x / 8))))));
    }

    @Override
    public double derivative(double margin, double label) {
        double fromLog = margin - Elementary.log(size);
        return size * Elementary.sigmoid(fromLog) - label * Elementary.sigmoid(-fromLog);
    }

    /** μ/(μ + k). */
    private double probability(double margin) {
        return Elementary.sigmoid(margin - Elementary.log(size));
    }

    @Override
    public double curvature(double margin, double label) {
        return (label + size) * probability(margin) * Elementary.sigmoid(Elementary.log(size) - margin);
    }

    /** {@inheritDoc} No number bounds it for all labels. */
    @Override
    public double smoothness(double label) {
        return (label + size) / 4;
    }

    @Override
    public double selfConcordance() {
        return 1;
    }

    @Override
    public boolean isDispersionKnown() {
        return true;
    }

    @Override
    public LabelDomain domain() {
        return LabelDomain.COUNTS;
    }

    @Override
    public Link link() {
        return Link.LOG;
    }

    @Override
    public double labelSize(double label) {
        return Math.abs(Elementary.log(size)) + (label == 0 ? 0 : Math.abs(Elementary.log(label)));
    }

    @Override
    public double smallestSlope(double label) {
        return -label;
    }

    @Override
    public double largestSlope(double label) {
        return size;
    }

    @Override
    public double information(double margin) {
        return size * probability(margin);
    }

    @Override
    public double variance(double mean) {
        return mean * (1 + mean / size);
    }

    @Override
    public double varianceSlope(double mean) {
        return 1 + 2 * mean / size;
    }

    /** {@inheritDoc} Σ 1/(k + i) over all i from 0 to y − 1 is the derivative of ln Γ(y + k)/Γ(k). */
    @Override
    public double shapeSlope(double margin, double label) {
        double sum = 0;
        for (double i = label - 1; i >= 0; i--) {
            sum += 1 / (size + i);
        }
        double mean = Elementary.exp(margin);
        return sum - Elementary.log1p(mean / size) - (label - mean) / (size + mean);
    }

    @Override
    public double shapeInformation(double margin, double label) {
        double sum = 0;
        for (double i = label - 1; i >= 0; i--) {
            sum += 1 / ((size + i) * (size + i));
        }
        double mean = Elementary.exp(margin);
        double both = mean + size;
        return sum - 1 / size + 2 / both - (label + size) / (both * both);
    }

    @Override
    public double shapeChange(double margin, double label, double radius) {
        double mean = Elementary.exp(margin);
        double most = mean * Elementary.exp(radius);
        double both = mean * Elementary.exp(-radius) + size;
        return (Math.abs(label - mean) + most - mean) * most / (both * both);
    }

    @Override
    public boolean isCanonical() {
        return false;
    }

    @Override
    public double constant(double label, double weight) {
        return label == 0 ? 0 : weight * (Stirling.ofParts(label, size) + Elementary.log(size / (label + size)));
    }
}
