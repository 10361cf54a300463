package dev.starling.method.multipliers;

import dev.starling.loss.PiecewiseLinearLoss;

/**
 * The kinks of a loss: the slopes between which it jumps, and its slope where kinks are rounded, which is (m + γa −
 * kink)/γ clipped to those.
 */
final class Kinks {

    private final double tolerance;
    private final double risingLow;
    private final double risingHigh;
    private final double fallingLow;
    private final double fallingHigh;

    Kinks(PiecewiseLinearLoss loss) {
        this.tolerance = loss.tolerance();
        this.risingLow = loss.smallestSlope(1);
        this.risingHigh = loss.largestSlope(1);
        this.fallingLow = loss.smallestSlope(-1);
        this.fallingHigh = loss.largestSlope(-1);
    }

    /** ε, the distance of a kink from the label. */
    double tolerance() {
        return tolerance;
    }

    double low(double label) {
        return label > 0 ? risingLow : fallingLow;
    }

    double high(double label) {
        return label > 0 ? risingHigh : fallingHigh;
    }

    /** The multiplier of a sample of which nothing is known: a kink is then rounded to both of its sides alike. */
    double middle(double label) {
        return 0.5 * (low(label) + high(label));
    }

    /** The slope at a margin, of which the sharpness is 1/γ. */
    double slope(double margin, double label, double multiplier, double band, double sharpness) {
        double above = margin - label - tolerance;
        double below = margin - label + tolerance;
        double offset = band * multiplier;
        double up = Math.min(Math.max((above + offset) * sharpness, 0), high(label));
        double down = Math.max(Math.min((below + offset) * sharpness, 0), low(label));
        return up + down;
    }

    /**
     * Whether a kink holds a sample with this slope. Between kinks, where ε > 0 and the slope is 0, the loss is as flat
     * as it is straight outside.
     */
    boolean holds(double slope, double label) {
        return slope > low(label) && slope < high(label) && (tolerance == 0 || slope != 0);
    }
}
