package dev.starling.method.newton;

import dev.starling.node.SumWords;
import dev.starling.problem.Rounding;

/**
 * What a free intercept does to the duality gap. A dual point must then have Σ w s = 0, which the slopes of a pass have
 * only at the optimum: those of the heavier sign are shrunk, all by one factor f, until they do. As ℓ* is convex and ℓ
 * nowhere negative, the gap is at most ‖λw + v‖²/(2λ) + (1 − f) · mean loss, where v is the mean of w s x at the shrunk
 * slopes. Derived, with what rounding adds, in docs/correctness.md.
 *
 * @param squares ‖λw + v‖²
 * @param shrunk (1 − f) · mean loss
 * @param length what rounding may add to ‖λw + v‖ beyond what it adds to a gradient
 * @param slack what rounding may add to (1 − f) · mean loss, and all of that
 */
record FreeIntercept(double squares, double shrunk, double length, double slack) {

    /** Roundings of sums of slopes that carry their errors along, and of what is made of them, with room to spare. */
    private static final int OPERATIONS = 16;

    /** What an objective has where all weights are regularised. */
    static FreeIntercept none(double squares) {
        return new FreeIntercept(squares, 0, 0, 0);
    }

    /**
     * That of a pass.
     *
     * @param gradient of the whole objective
     */
    static FreeIntercept of(PassLayout layout, double[] sums, double[] gradient) {
        int last = layout.features() - 1;
        double weight = sums[NewtonPass.WEIGHT];
        double sum = sums[NewtonPass.GRADIENT + last];
        double rising = Math.max(0, sums[layout.rising() + last]);
        double falling = Math.max(0, rising - sum);
        boolean up = sum > 0;
        double heavy = up ? rising : falling;
        double light = up ? falling : rising;
        double part = part(Math.abs(sum), heavy);

        double squares = 0;
        double heavySquares = 0;
        double lightSquares = 0;
        for (int c = 0; c < last; c++) {
            double ofRising = sums[layout.rising() + c];
            double ofFalling = sums[NewtonPass.GRADIENT + c] - ofRising;
            double ofHeavy = up ? ofRising : ofFalling;
            double ofLight = up ? ofFalling : ofRising;
            double rest = gradient[c] - part * ofHeavy / weight;
            squares += rest * rest;
            heavySquares += ofHeavy * ofHeavy;
            lightSquares += ofLight * ofLight;
        }

        double doubt = OPERATIONS * Rounding.UNIT * (rising + falling) + SumWords.MOST_ADDENDS * SumWords.ROUNDING;
        double most = part(Math.abs(sum) + doubt, heavy - doubt);
        double least = part(Math.max(0, Math.abs(sum) - doubt), heavy + doubt);
        double spread = sums[NewtonPass.SPREAD] + sums[layout.risingSpread()];
        double slightlyMore = 1 + layout.features() * Rounding.UNIT;
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
        double losses = (1 + OPERATIONS * Rounding.UNIT) * sums[NewtonPass.LOSS] + sums[NewtonPass.ERROR];
        return new FreeIntercept(
                squares, part * sums[NewtonPass.LOSS] / weight, length / weight, largest * losses / weight);
    }

    /** 1 − f, the part of the heavier slopes that has to go. */
    private static double part(double excess, double heavy) {
        return excess == 0 ? 0 : heavy > excess ? excess / heavy : 1;
    }
}
