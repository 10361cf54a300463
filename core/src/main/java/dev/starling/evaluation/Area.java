package dev.starling.evaluation;

/**
 * The area under an ROC curve: the probability that a row of the positive class scores higher than a row of any other
 * class, with ties counting half.
 *
 * @param value the area; if only counts in bins are known, rows of the same bin count as ties. NaN if a class has no
 *     rows
 * @param least a lower bound on the area, whatever the scores within bins; equal to {@code value} if all scores are
 *     known
 * @param most an upper bound on the area, likewise
 * @param standardError the standard error of the value as an estimate for other rows from the same distribution, by
 *     DeLong, DeLong and Clarke-Pearson (1988); NaN if a class has a single row
 */
public record Area(double value, double least, double most, double standardError) {

    /** The 97.5 % quantile of the standard normal distribution. */
    private static final double QUANTILE = 1.959963984540054;

    static final Area UNDEFINED = new Area(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** How far the value may be from the exact area, because of bins. */
    public double error() {
        return Math.max(value - least, most - value);
    }

    /** The lower end of the 95 % confidence interval, including the error caused by bins. */
    public double lower() {
        return Double.isNaN(standardError) ? Double.NaN : Math.max(0, least - QUANTILE * standardError);
    }

    /** The upper end of the 95 % confidence interval, including the error caused by bins. */
    public double upper() {
        return Double.isNaN(standardError) ? Double.NaN : Math.min(1, most + QUANTILE * standardError);
    }
}
