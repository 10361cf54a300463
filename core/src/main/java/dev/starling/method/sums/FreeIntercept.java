package dev.starling.method.sums;

import dev.starling.node.SumWords;
import dev.starling.objective.PassLayout;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * The effect of a free intercept on the duality gap. A dual point must then satisfy Σ w s = 0, which the slopes of a
 * pass do only at the optimum. So the slopes of the heavier sign are all shrunk by one factor f until they satisfy it.
 * As ℓ* is convex and ℓ is nowhere negative, that adds at most (1 − f) · mean loss to the gap, where v, the mean of w s
 * x, is taken at the shrunk slopes. docs/correctness.md has the derivation, including the effect of rounding.
 *
 * @param balanced the vector given to {@link #of}, with v taken at the shrunk slopes; without the intercept's entry
 * @param shrunk (1 − f) · mean loss
 * @param length how much rounding may add to the length of that vector, beyond what it adds to that of a gradient
 * @param slack an upper bound on (1 − f) · mean loss, including its rounding errors
 */
public record FreeIntercept(double[] balanced, double shrunk, double length, double slack) {

    /**
     * The number of roundings in sums of slopes, which carry their errors along, and in the numbers computed from them,
     * with room to spare.
     */
    private static final int OPERATIONS = 16;

    /** Returns the values for an objective without a free intercept. */
    public static FreeIntercept none(double[] vector) {
        return new FreeIntercept(vector, 0, 0, 0);
    }

    /**
     * Returns the values for the totals of a pass, which may have been one without a free intercept.
     *
     * @param vector v, or v plus a vector that does not depend on the slopes
     */
    public static FreeIntercept of(double[] sums, PassLayout layout, double[] vector) {
        if (!layout.intercept()) {
            return none(vector);
        }
        int features = vector.length;
        int last = features - 1;
        double weight = sums[PassLayout.WEIGHT];
        double sum = sums[PassLayout.GRADIENT + last];
        double rising = Math.max(0, sums[layout.rising() + last]);
        double falling = Math.max(0, rising - sum);
        boolean up = sum > 0;
        double heavy = up ? rising : falling;
        double light = up ? falling : rising;
        double part = part(Math.abs(sum), heavy);

        double[] balanced = Arrays.copyOf(vector, last);
        double heavySquares = 0;
        double lightSquares = 0;
        for (int c = 0; c < last; c++) {
            double ofRising = sums[layout.rising() + c];
            double ofFalling = sums[PassLayout.GRADIENT + c] - ofRising;
            double ofHeavy = up ? ofRising : ofFalling;
            double ofLight = up ? ofFalling : ofRising;
            balanced[c] -= part * ofHeavy / weight;
            heavySquares += ofHeavy * ofHeavy;
            lightSquares += ofLight * ofLight;
        }

        double doubt = OPERATIONS * Rounding.UNIT * (rising + falling) + SumWords.MOST_ADDENDS * SumWords.ROUNDING;
        double most = part(Math.abs(sum) + doubt, heavy - doubt);
        double least = part(Math.max(0, Math.abs(sum) - doubt), heavy + doubt);
        double spread = sums[PassLayout.SPREAD] + sums[layout.rising() + features];
        double slightlyMore = 1 + features * Rounding.UNIT;
        double heavyLength = slightlyMore * Math.sqrt(heavySquares) + spread;
        double off = Math.max(most - part, part - least) + OPERATIONS * Rounding.UNIT * part;
        double length = off * heavyLength + most * spread;
        double largest = most;
        if (Math.abs(sum) <= doubt) {
            // Within rounding, the other side may be the heavier one.
            double other = part(2 * doubt, light - doubt);
            length += part * heavyLength + other * (slightlyMore * Math.sqrt(lightSquares) + spread);
            largest = Math.max(most, other);
        }
        double losses = (1 + OPERATIONS * Rounding.UNIT) * sums[PassLayout.LOSS] + sums[PassLayout.ERROR];
        return new FreeIntercept(
                balanced, part * sums[PassLayout.LOSS] / weight, length / weight, largest * losses / weight);
    }

    /** Returns 1 − f, the part of the heavier slopes that has to be removed. */
    private static double part(double excess, double heavy) {
        return excess == 0 ? 0 : heavy > excess ? excess / heavy : 1;
    }

    /** Returns the sum of squares of the balanced vector, in a fixed order. */
    public double squares() {
        double squares = 0;
        for (double entry : balanced) {
            squares += entry * entry;
        }
        return squares;
    }

    /**
     * Returns the curvature to use for a step along a free intercept. Losses may have no curvature where the intercept
     * starts. The step is therefore limited to twice the distance at which the slope would bring the objective down to
     * 0; near the optimum, that is longer than any Newton step.
     *
     * @param summed the curvature of the losses along the intercept
     * @param otherwise the curvature they would have a little further on, or 0 if that is not known
     */
    public static double curvature(double summed, double slope, double objective, double otherwise) {
        double known = summed > 0 ? summed : otherwise;
        double least = slope * slope / (2 * objective);
        double curved = least > known ? least : known;
        return curved > 0 ? curved : 1;
    }
}
