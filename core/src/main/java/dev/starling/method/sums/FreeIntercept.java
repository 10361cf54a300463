package dev.starling.method.sums;

import dev.starling.node.SumWords;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * What a free intercept does to the duality gap. A dual point must then have Σ w s = 0, which the slopes of a pass have
 * only at the optimum: those of the heavier sign are shrunk, all by one factor f, until they do. As ℓ* is convex and ℓ
 * nowhere negative, that adds at most (1 − f) · mean loss to the gap, where v, the mean of w s x, is taken at the
 * shrunk slopes. Derived, with what rounding adds, in docs/correctness.md.
 *
 * @param balanced a vector that v is a part of, with v at the shrunk slopes; without the intercept's entry
 * @param shrunk (1 − f) · mean loss
 * @param length what rounding may add to the length of that vector beyond what it adds to a gradient
 * @param slack what rounding may add to (1 − f) · mean loss, and all of that
 */
public record FreeIntercept(double[] balanced, double shrunk, double length, double slack) {

    /** Roundings of sums of slopes that carry their errors along, and of what is made of them, with room to spare. */
    private static final int OPERATIONS = 16;

    /**
     * The totals of a pass.
     *
     * @param sums all of them
     * @param gradient where Σ w s x begins in them, whose last entry is the sum of the slopes
     * @param rising where its part begins that rows with positive slopes make; behind it is what rounding added to that
     * @param weight of all rows
     * @param loss of all rows
     * @param error by how much rounding may have made the loss too small
     * @param spread what rounding may have added to the length of Σ w s x
     */
    public record Totals(
            double[] sums, int gradient, int rising, double weight, double loss, double error, double spread) {}

    /** What an objective has where all weights are regularised. */
    public static FreeIntercept none(double[] vector) {
        return new FreeIntercept(vector, 0, 0, 0);
    }

    /**
     * That of a pass.
     *
     * @param vector v, or v plus something that does not depend on slopes
     */
    public static FreeIntercept of(Totals totals, double[] vector) {
        double[] sums = totals.sums;
        int features = vector.length;
        int last = features - 1;
        double weight = totals.weight;
        double sum = sums[totals.gradient + last];
        double rising = Math.max(0, sums[totals.rising + last]);
        double falling = Math.max(0, rising - sum);
        boolean up = sum > 0;
        double heavy = up ? rising : falling;
        double light = up ? falling : rising;
        double part = part(Math.abs(sum), heavy);

        double[] balanced = Arrays.copyOf(vector, last);
        double heavySquares = 0;
        double lightSquares = 0;
        for (int c = 0; c < last; c++) {
            double ofRising = sums[totals.rising + c];
            double ofFalling = sums[totals.gradient + c] - ofRising;
            double ofHeavy = up ? ofRising : ofFalling;
            double ofLight = up ? ofFalling : ofRising;
            balanced[c] -= part * ofHeavy / weight;
            heavySquares += ofHeavy * ofHeavy;
            lightSquares += ofLight * ofLight;
        }

        double doubt = OPERATIONS * Rounding.UNIT * (rising + falling) + SumWords.MOST_ADDENDS * SumWords.ROUNDING;
        double most = part(Math.abs(sum) + doubt, heavy - doubt);
        double least = part(Math.max(0, Math.abs(sum) - doubt), heavy + doubt);
        double spread = totals.spread + sums[totals.rising + features];
        double slightlyMore = 1 + features * Rounding.UNIT;
        double heavyLength = slightlyMore * Math.sqrt(heavySquares) + spread;
        double off = Math.max(most - part, part - least) + OPERATIONS * Rounding.UNIT * part;
        double length = off * heavyLength + most * spread;
        double largest = most;
        if (Math.abs(sum) <= doubt) {
            // The other side may be the heavier one.
            double other = part(2 * doubt, light - doubt);
            length += part * heavyLength + other * (slightlyMore * Math.sqrt(lightSquares) + spread);
            largest = Math.max(most, other);
        }
        double losses = (1 + OPERATIONS * Rounding.UNIT) * totals.loss + totals.error;
        return new FreeIntercept(balanced, part * totals.loss / weight, length / weight, largest * losses / weight);
    }

    /** 1 − f, the part of the heavier slopes that has to go. */
    private static double part(double excess, double heavy) {
        return excess == 0 ? 0 : heavy > excess ? excess / heavy : 1;
    }

    /** The squares of the balanced vector, in order. */
    public double squares() {
        double squares = 0;
        for (double entry : balanced) {
            squares += entry * entry;
        }
        return squares;
    }

    /**
     * The curvature to step along a free intercept with. Losses may have none where the intercept begins. It then goes
     * no further than twice to where its slope would bring the objective to 0, which near the optimum is farther than
     * any Newton step.
     *
     * @param summed what the losses have
     * @param otherwise what they would have a little further on, if that is known, or 0
     */
    public static double curvature(double summed, double slope, double objective, double otherwise) {
        double known = summed > 0 ? summed : otherwise;
        double least = slope * slope / (2 * objective);
        double curved = least > known ? least : known;
        return curved > 0 ? curved : 1;
    }
}
