package dev.starling.evaluation.tally;

/**
 * Bins of scores that do not depend on the data, so that all places use the same ones: equal steps of s/(1 + |s|),
 * which are narrow around 0 and reach to infinity.
 *
 * @param count the number of bins
 */
public record ScoreBins(int count) {

    /** Enough bins to keep the error of an area below about 0.002 for common models. */
    public static final ScoreBins USUAL = new ScoreBins(200);

    /** Refuses fewer than two. */
    public ScoreBins {
        if (count < 2) {
            throw new IllegalArgumentException(count + " bins; at least two are needed");
        }
    }

    /** The bin of a score. It is monotone in the score even with rounding. */
    int of(double score) {
        // Computed as 1 − 1/(1 + |s|), each operation of which stays monotone when rounded.
        double squashed = Math.copySign(1 - 1 / (1 + Math.abs(score)), score);
        return Math.min((int) ((squashed + 1) * 0.5 * count), count - 1);
    }

    /** The score in the middle of a bin. */
    double middle(int bin) {
        double squashed = (2 * bin + 1.0) / count - 1;
        return squashed / (1 - Math.abs(squashed));
    }
}
