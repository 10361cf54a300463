package dev.starling.evaluation;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The number of rows of the positive class, and of the others, with each score or with a score in each bin: what ROC
 * and precision-recall curves are made from. Rows are counted with their weights.
 */
public final class ScoreCounts implements Serializable {

    private final double[] scores;
    private final double[] positives;
    private final double[] negatives;
    private final double positiveSquares;
    private final double negativeSquares;
    private final boolean exact;

    /**
     * Creates counts by ascending score.
     *
     * @param positiveSquares the sum of the squared weights of positive rows
     * @param negativeSquares the sum of the squared weights of the others
     * @param exact whether rows that are counted together have exactly the same score
     */
    public ScoreCounts(
            double[] scores,
            double[] positives,
            double[] negatives,
            double positiveSquares,
            double negativeSquares,
            boolean exact) {
        this.scores = scores;
        this.positives = positives;
        this.negatives = negatives;
        this.positiveSquares = positiveSquares;
        this.negativeSquares = negativeSquares;
        this.exact = exact;
    }

    /**
     * Counts rows by their exact scores.
     *
     * @param weights the weight of each row
     */
    public static ScoreCounts of(double[] scores, boolean[] positive, double[] weights) {
        int[] order = IntStream.range(0, scores.length)
                .boxed()
                .sorted((i, j) -> Double.compare(scores[i], scores[j]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] distinct = new double[order.length];
        double[][] counts = new double[2][order.length];
        double[] squares = new double[2];
        int groups = 0;
        for (int row : order) {
            // Adding 0 turns −0 into 0.
            double score = scores[row] + 0.0;
            if (groups == 0 || distinct[groups - 1] != score) {
                distinct[groups++] = score;
            }
            int side = positive[row] ? 1 : 0;
            counts[side][groups - 1] += weights[row];
            squares[side] += weights[row] * weights[row];
        }
        return new ScoreCounts(
                Arrays.copyOf(distinct, groups),
                Arrays.copyOf(counts[1], groups),
                Arrays.copyOf(counts[0], groups),
                squares[1],
                squares[0],
                true);
    }

    /** These counts and those of other rows together; both must be by score, or by the same bins. */
    public ScoreCounts plus(ScoreCounts other) {
        int most = scores.length + other.scores.length;
        double[] merged = new double[most];
        double[][] counts = new double[2][most];
        int groups = 0;
        for (int i = 0, j = 0; i < scores.length || j < other.scores.length; groups++) {
            boolean own = j == other.scores.length || (i < scores.length && scores[i] <= other.scores[j]);
            merged[groups] = own ? scores[i] : other.scores[j];
            if (i < scores.length && scores[i] == merged[groups]) {
                counts[1][groups] += positives[i];
                counts[0][groups] += negatives[i++];
            }
            if (j < other.scores.length && other.scores[j] == merged[groups]) {
                counts[1][groups] += other.positives[j];
                counts[0][groups] += other.negatives[j++];
            }
        }
        return new ScoreCounts(
                Arrays.copyOf(merged, groups),
                Arrays.copyOf(counts[1], groups),
                Arrays.copyOf(counts[0], groups),
                positiveSquares + other.positiveSquares,
                negativeSquares + other.negativeSquares,
                exact && other.exact);
    }

    /** The number of distinct scores or bins. */
    public int size() {
        return scores.length;
    }

    /** The score of a group, or the middle of its bin. */
    public double score(int group) {
        return scores[group];
    }

    /** The weight of the rows of the positive class in a group. */
    public double positives(int group) {
        return positives[group];
    }

    /** The weight of the other rows in a group. */
    public double negatives(int group) {
        return negatives[group];
    }

    /** The weight of all rows of the positive class. */
    public double positives() {
        return Arrays.stream(positives).sum();
    }

    /** The weight of all other rows. */
    public double negatives() {
        return Arrays.stream(negatives).sum();
    }

    /** The area under the ROC curve. */
    public Area area() {
        double allPositives = positives();
        double allNegatives = negatives();
        if (!(allPositives > 0) || !(allNegatives > 0)) {
            return Area.UNDEFINED;
        }
        double sure = 0;
        double tied = 0;
        double below = 0;
        for (int g = 0; g < scores.length; g++) {
            sure += positives[g] * below;
            tied += positives[g] * negatives[g];
            below += negatives[g];
        }
        double pairs = allPositives * allNegatives;
        double value = Math.min(1, (sure + tied / 2) / pairs);
        double error = standardError(value, allPositives, allNegatives);
        if (exact) {
            return new Area(value, value, value, error);
        }
        // Widened by the rounding of these sums, so that the bounds hold for the scores themselves.
        double rounding = (scores.length + 8) * Math.ulp(1.0);
        return new Area(
                value, Math.max(0, sure / pairs - rounding), Math.min(1, (sure + tied) / pairs + rounding), error);
    }

    /**
     * DeLong's standard error: the variance over positive rows of the fraction of other rows that score lower, divided
     * by the number of positive rows, plus the same with the roles exchanged. With weights, the number of rows is the
     * effective sample size (Σw)²/Σw².
     */
    private double standardError(double area, double allPositives, double allNegatives) {
        double ofPositives = 0;
        double ofNegatives = 0;
        double lowerNegatives = 0;
        double lowerPositives = 0;
        for (int g = 0; g < scores.length; g++) {
            double outscored = (lowerNegatives + negatives[g] / 2) / allNegatives - area;
            double outscoring = 1 - (lowerPositives + positives[g] / 2) / allPositives - area;
            ofPositives += positives[g] * outscored * outscored;
            ofNegatives += negatives[g] * outscoring * outscoring;
            lowerNegatives += negatives[g];
            lowerPositives += positives[g];
        }
        double effectivePositives = allPositives * allPositives / positiveSquares;
        double effectiveNegatives = allNegatives * allNegatives / negativeSquares;
        // A single row would divide by zero, or by a rounding error.
        if (!(effectivePositives > 1.5) || !(effectiveNegatives > 1.5)) {
            return Double.NaN;
        }
        return Math.sqrt(ofPositives / allPositives / (effectivePositives - 1)
                + ofNegatives / allNegatives / (effectiveNegatives - 1));
    }

    /**
     * Average precision: the mean, over positive rows, of the precision among all rows that score at least as high; NaN
     * if there are no positive rows.
     */
    public double averagePrecision() {
        double all = positives();
        double truePositives = 0;
        double selected = 0;
        double sum = 0;
        for (int g = scores.length - 1; g >= 0; g--) {
            truePositives += positives[g];
            selected += positives[g] + negatives[g];
            if (positives[g] > 0) {
                sum += positives[g] * (truePositives / selected);
            }
        }
        return all > 0 ? sum / all : Double.NaN;
    }
}
