package dev.starling.evaluation;

/**
 * The area under an ROC curve: the probability that a row of the positive class scores higher than one of the others,
 * where ties count half.
 *
 * @param value the area; where only counts in bins are known, with the rows of a bin taken as ties. NaN if a class has
 *     no rows
 * @param least no less than this, whatever the scores within bins; the value itself where all scores are known
 * @param most no more than this
 * @param standardError of the value as an estimate for other rows of the same kind, by DeLong, DeLong and
 *     Clarke-Pearson (1988); NaN if a class has a single row
 */
public record Area(double value, double least, double most, double standardError) {

    /** The quantile of the normal distribution that leaves 2.5 % above it. */
    private static final double QUANTILE = 1.959963984540054;

    static final Area UNDEFINED = new Area(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** Whether both classes have rows. */
    public boolean isDefined() {
        return !Double.isNaN(value);
    }

    /** Half the distance of the bounds: how far the value may be from the area of the scores themselves. */
    public double error() {
        return Math.max(value - least, most - value);
    }

    /** Where the 95 % confidence interval begins, the error of bins included. */
    public double lower() {
        return Double.isNaN(standardError) ? Double.NaN : Math.max(0, least - QUANTILE * standardError);
    }

    /** Where the 95 % confidence interval ends. */
    public double upper() {
        return Double.isNaN(standardError) ? Double.NaN : Math.min(1, most + QUANTILE * standardError);
    }
}
