package dev.starling.evaluation;

/**
 * Bins of scores that need no look at the data, so that all places have the same: equal steps of s/(1 + |s|), which are
 * narrow around 0 and reach to infinity.
 *
 * @param count how many there are
 */
public record ScoreBins(int count) {

    /** As many as keep the error of an area below about 0.002 for common models. */
    public static final ScoreBins USUAL = new ScoreBins(200);

    /** Refuses fewer than two. */
    public ScoreBins {
        if (count < 2) {
            throw new IllegalArgumentException(count + " bins; at least two are needed");
        }
    }

    /** The bin of a score; never smaller for a larger score, whatever the rounding. */
    int of(double score) {
        // As 1 − 1/(1 + |s|), every operation of which is monotone when rounded.
        double squashed = Math.copySign(1 - 1 / (1 + Math.abs(score)), score);
        return Math.min((int) ((squashed + 1) * 0.5 * count), count - 1);
    }

    /** The score in the middle of a bin. */
    double middle(int bin) {
        double squashed = (2 * bin + 1.0) / count - 1;
        return squashed / (1 - Math.abs(squashed));
    }
}
