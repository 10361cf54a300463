package dev.starling.method.multipliers;

import dev.starling.loss.PiecewiseLinearLoss;

/**
 * The kinks of a loss: the slopes on both sides of each, and the slope of the smoothed loss, which is (m + γa − kink)/γ
 * clipped to these.
 */
final class Kinks {

    private final double tolerance;
    private final double positiveLow;
    private final double positiveHigh;
    private final double negativeLow;
    private final double negativeHigh;

    Kinks(PiecewiseLinearLoss loss) {
        this.tolerance = loss.tolerance();
        this.positiveLow = loss.smallestSlope(1);
        this.positiveHigh = loss.largestSlope(1);
        this.negativeLow = loss.smallestSlope(-1);
        this.negativeHigh = loss.largestSlope(-1);
    }

    /** Returns ε, the distance of a kink from the label. */
    double tolerance() {
        return tolerance;
    }

    double low(double label) {
        return label > 0 ? positiveLow : negativeLow;
    }

    double high(double label) {
        return label > 0 ? positiveHigh : negativeHigh;
    }

    /** Returns the multiplier to use if nothing is known about a sample; the kink is then rounded symmetrically. */
    double middle(double label) {
        return 0.5 * (low(label) + high(label));
    }

    /**
     * Returns the slope of the smoothed loss at a margin.
     *
     * @param band γ
     * @param sharpness 1/γ
     */
    double slope(double margin, double label, double multiplier, double band, double sharpness) {
        double above = margin - label - tolerance;
        double below = margin - label + tolerance;
        double offset = band * multiplier;
        double up = Math.min(Math.max((above + offset) * sharpness, 0), high(label));
        double down = Math.max(Math.min((below + offset) * sharpness, 0), low(label));
        return up + down;
    }

    /**
     * Returns whether a kink holds a sample with this slope. If ε > 0 there are two kinks, and a sample with slope 0
     * lies between them, where the loss is flat and no kink holds it.
     */
    boolean holds(double slope, double label) {
        return slope > low(label) && slope < high(label) && (tolerance == 0 || slope != 0);
    }
}
