package dev.starling.loss;

/**
 * Half the unit deviance of counts y with mean μ = e^u: ℓ(u; y) = μ − y − y (u − ln y), which is 0 at u = ln y and
 * nowhere negative. Its curvature μ has no bound; within a distance r it changes by at most a factor e^r.
 *
 * <p>With v = u − ln y, ℓ = y (e^v − 1 − v) and ℓ' = y (e^v − 1), in which nothing cancels.
 *
 * @param quasi whether the variance is some multiple of the mean, so that labels need not be whole
 */
public record Poisson(boolean quasi) implements Likelihood {

    /** Counts whose variance is their mean. */
    public Poisson() {
        this(false);
    }

    @Override
    public String name() {
        return family();
    }

    @Override
    public String family() {
        return quasi ? "quasi-poisson" : "poisson";
    }

    @Override
    public double value(double margin, double label) {
        return label == 0 ? Elementary.exp(margin) : label * Elementary.expm2(margin - Elementary.log(label));
    }

    @Override
    public double derivative(double margin, double label) {
        return label == 0 ? Elementary.exp(margin) : label * Elementary.expm1(margin - Elementary.log(label));
    }

    @Override
    public double curvature(double margin, double label) {
        return Elementary.exp(margin);
    }

    /** Computes the logarithm of each label and e^v − 1 once, with the bits of the methods above. */
    @Override
    public double evaluate(
            int count, double[] margins, double[] labels, double[] weights, double[] slopes, double[] curvatures) {
        double sum = 0;
        for (int k = 0; k < count; k++) {
            double weight = weights == null ? 1 : weights[k];
            double label = labels[k];
            double mean = Elementary.exp(margins[k]);
            double value = mean;
            double slope = mean;
            if (label != 0) {
                double v = margins[k] - Elementary.log(label);
                double growth = Elementary.expm1(v);
                value = label * Elementary.expm2(v, growth);
                slope = label * growth;
            }
            sum += weight * value;
            slopes[k] = weight * slope;
            curvatures[k] = weight * mean;
        }
        return sum;
    }

    @Override
    public double selfConcordance() {
        return 1;
    }

    @Override
    public LabelDomain domain() {
        return quasi ? LabelDomain.NOT_NEGATIVE : LabelDomain.COUNTS;
    }

    @Override
    public Link link() {
        return Link.LOG;
    }

    @Override
    public boolean isDispersionKnown() {
        return !quasi;
    }

    @Override
    public double variance(double mean) {
        return mean;
    }

    @Override
    public double varianceSlope(double mean) {
        return 1;
    }

    @Override
    public double constant(double label, double weight) {
        return quasi ? 0 : weight * Stirling.ofCount(label);
    }

    /** |ln y|. */
    @Override
    public double labelSize(double label) {
        return label == 0 ? 0 : Math.abs(Elementary.log(label));
    }

    @Override
    public double smallestSlope(double label) {
        return -label;
    }

    /** ℓ*(s; y) = s ln y + (y + s) ln(1 + s/y) − s; for y = 0, s ln s − s. */
    @Override
    public double conjugate(double slope, double label) {
        if (!(slope >= -label)) {
            return Double.isNaN(slope) ? slope : Double.POSITIVE_INFINITY;
        }
        if (label == 0) {
            return slope == 0 ? 0 : slope * (Elementary.log(slope) - 1);
        }
        double mean = label + slope;
        double linear = slope * (Elementary.log(label) - 1);
        return mean == 0 ? linear : linear + mean * Elementary.log1p(slope / label);
    }
}
