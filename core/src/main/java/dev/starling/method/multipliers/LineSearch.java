package dev.starling.method.multipliers;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/**
 * Searches for the minimum of a convex function along a line, from its slopes at a few trial steps at a time.
 *
 * <p>If the slopes at two neighbouring steps a &lt; b ≤ 2a have different signs, the result is the zero t of the line
 * through them. The function is then no higher than at the start: f(t) − f(a) ≤ (t − a) f'(b) ≤ (b − a) |f'(a)| ≤ a
 * |f'(a)| ≤ f(0) − f(a).
 */
final class LineSearch implements Stateful {

    /** The number of steps that are tried at once. */
    static final int TRIALS = 8;

    private static final int MOST_ROUNDS = 8;

    /** The first trial steps are powers of two up to this. */
    private static final double LONGEST = 2;

    private final boolean cautious;
    private final boolean whole;
    private final double[] trials = new double[TRIALS];
    private double low;
    private double lowSlope;
    private double high;
    private double highSlope;
    private int rounds;

    /**
     * Creates a search; {@link #begin} starts it.
     *
     * @param cautious whether the slopes may be too small, so that they must not make the search go beyond the first
     *     trial steps
     * @param whole whether a full step, which takes some weights exactly to 0, is preferred to one of about the same
     *     length
     */
    LineSearch(boolean cautious, boolean whole) {
        this.cautious = cautious;
        this.whole = whole;
    }

    /** Starts a search along a line whose slope at the start is known. */
    void begin(double slope) {
        low = 0;
        lowSlope = slope;
        high = Double.POSITIVE_INFINITY;
        rounds = 0;
        spread(LONGEST);
    }

    private void spread(double longest) {
        for (int k = 0; k < TRIALS; k++) {
            trials[k] = Math.scalb(longest, k + 1 - TRIALS);
        }
    }

    /** Returns the steps to try next, in ascending order. */
    double[] trials() {
        return trials.clone();
    }

    /** Returns whether slopes along this line were computed before. */
    boolean hasLooked() {
        return rounds > 0;
    }

    /** Processes the slopes at the trial steps. */
    void take(double[] slopes) {
        rounds++;
        for (int k = 0; k < TRIALS; k++) {
            if (!(slopes[k] <= 0)) {
                high = trials[k];
                highSlope = slopes[k];
                break;
            }
            low = trials[k];
            lowSlope = slopes[k];
        }
        if (high == Double.POSITIVE_INFINITY) {
            spread(Math.scalb(low, TRIALS));
        } else {
            spread(high / 2);
        }
    }

    /** Returns whether the search is over. */
    boolean isDone() {
        boolean found = high < Double.POSITIVE_INFINITY || lowSlope == 0 || cautious;
        return (low > 0 && found) || rounds == MOST_ROUNDS;
    }

    /** Returns the step that was found; 0 if none leads down. */
    double step() {
        // At a full step, too, the function is no higher than at the start: f(1) − f(½) ≤ ½ f'(1) ≤ ½ |f'(½)| ≤ f(0) −
        // f(½).
        if (whole && (low == 1 || (high == 1 && low == 0.5 && highSlope <= -lowSlope))) {
            return 1;
        }
        boolean between = high < Double.POSITIVE_INFINITY && highSlope < Double.POSITIVE_INFINITY;
        return low > 0 && between ? low + (high - low) * (lowSlope / (lowSlope - highSlope)) : low;
    }

    @Override
    public void state(State s) throws IOException {
        s.vector(trials);
        low = s.number(low);
        lowSlope = s.number(lowSlope);
        high = s.number(high);
        highSlope = s.number(highSlope);
        rounds = s.number(rounds);
    }
}
