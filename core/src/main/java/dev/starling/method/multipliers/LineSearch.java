package dev.starling.method.multipliers;

import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Looks for the lowest point of a convex function along a line, from its slopes at a few steps at a time.
 *
 * <p>Where two neighbouring steps a < b ≤ 2a have slopes of different signs, it takes the zero t of the line through
 * them. The function is then no higher than at the start: f(t) − f(a) ≤ (t − a) f'(b) ≤ (b − a) |f'(a)| ≤ a |f'(a)| ≤
 * f(0) − f(a).
 */
final class LineSearch {

    /** Steps that are looked at together. */
    static final int TRIALS = 8;

    private static final int MOST_LOOKS = 8;

    /** The first steps are powers of two up to this. */
    private static final double LONGEST = 2;

    private final boolean cautious;
    private final boolean whole;
    private final double[] trials = new double[TRIALS];
    private double low;
    private double lowSlope;
    private double high;
    private double highSlope;
    private int looks;

    /**
     * One that has not begun.
     *
     * @param cautious whether slopes may be less than they are, so that none tells to go farther than the first steps
     * @param whole whether a whole direction, which leads to weights of 0, is better than about as much of it
     */
    LineSearch(boolean cautious, boolean whole) {
        this.cautious = cautious;
        this.whole = whole;
    }

    /** Begins where the slope is known. */
    void begin(double slope) {
        low = 0;
        lowSlope = slope;
        high = Double.POSITIVE_INFINITY;
        looks = 0;
        spread(LONGEST);
    }

    private void spread(double longest) {
        for (int k = 0; k < TRIALS; k++) {
            trials[k] = Math.scalb(longest, k + 1 - TRIALS);
        }
    }

    /** Steps to look at next, in ascending order. */
    double[] trials() {
        return trials.clone();
    }

    /** Whether these are not the first. */
    boolean hasLooked() {
        return looks > 0;
    }

    /** Takes in the slopes at the trials. */
    void take(double[] slopes) {
        looks++;
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

    /** Whether there is nothing more to look for. */
    boolean isDone() {
        boolean found = high < Double.POSITIVE_INFINITY || lowSlope == 0 || cautious;
        return (low > 0 && found) || looks == MOST_LOOKS;
    }

    /** The step that was found; 0 if none leads down. */
    double step() {
        // There too the function is no higher than at the start: f(1) − f(½) ≤ ½ f'(1) ≤ ½ |f'(½)| ≤ f(0) − f(½).
        if (whole && (low == 1 || (high == 1 && low == 0.5 && highSlope <= -lowSlope))) {
            return 1;
        }
        boolean between = high < Double.POSITIVE_INFINITY && highSlope < Double.POSITIVE_INFINITY;
        return low > 0 && between ? low + (high - low) * (lowSlope / (lowSlope - highSlope)) : low;
    }

    void save(DataOutput out) throws IOException {
        SavedState.writeDoubles(out, trials);
        out.writeDouble(low);
        out.writeDouble(lowSlope);
        out.writeDouble(high);
        out.writeDouble(highSlope);
        out.writeInt(looks);
    }

    void restore(DataInput in) throws IOException {
        SavedState.readDoubles(in, trials);
        low = in.readDouble();
        lowSlope = in.readDouble();
        high = in.readDouble();
        highSlope = in.readDouble();
        looks = in.readInt();
    }
}
