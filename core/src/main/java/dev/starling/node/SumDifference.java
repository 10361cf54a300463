package dev.starling.node;

/** What is left of the samples when one sum is subtracted from another. */
public final class SumDifference {

    /** No single sample may make up more than this part of the squares of a difference. */
    private static final double MOST_OF_ONE = 0.5;

    private SumDifference() {}

    /**
     * Whether two sums differ in at least one sample but in too few, or mostly in a single one.
     *
     * @param weights the weights of the samples
     * @param one the share of each sample in one of the sums, which is the number that the sample was multiplied by
     * @param fewest how many samples are enough
     * @param splitBySign whether the sum over the samples with positive shares is released as well
     */
    public static boolean isOfFew(double[] weights, double[] one, double[] other, int fewest, boolean splitBySign) {
        return splitBySign
                ? isOfFew(weights, one, other, fewest, 0, Double.POSITIVE_INFINITY)
                        || isOfFew(weights, one, other, fewest, Double.NEGATIVE_INFINITY, 0)
                : isOfFew(weights, one, other, fewest, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /** Does the same for shares that are clipped to a range. */
    private static boolean isOfFew(
            double[] weights, double[] one, double[] other, int fewest, double low, double high) {
        int count = 0;
        double squares = 0;
        double largest = 0;
        for (int j = 0; j < weights.length; j++) {
            double before = Math.max(low, Math.min(high, one[j]));
            double difference = weights[j] * (Math.max(low, Math.min(high, other[j])) - before);
            double square = difference * difference;
            count += difference != 0 ? 1 : 0;
            squares += square;
            largest = Math.max(largest, square);
        }
        return count > 0 && (count < fewest || largest > MOST_OF_ONE * squares);
    }
}
