package dev.starling.method.sums;

import dev.starling.node.SumWords;
import dev.starling.objective.PassLayout;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * The effect of a free intercept for each of several classes on the duality gap. A dual point is a probability of every
 * class for each row, and must then predict each class as often as it occurs, which those of a pass do only at the
 * optimum. Let P_k be the mean probability of class k and F_k its share of the rows. For t ≥ 1 − F_k/P_k for all k, q =
 * (F − (1 − t) P)/t is a distribution, and (1 − t) p + t q is a dual point. As the conjugate, the negative entropy, is
 * convex and nowhere positive, the mix adds at most t · mean Σ_k q_k ℓ(η; k) to the gap, where v, the mean of (p − e_y)
 * xᵀ, is taken at the mixed probabilities. Both follow from the gradient and from the sums of the rows of each class.
 * docs/correctness.md has the derivation, including the effect of rounding.
 */
public final class FreeIntercepts {

    /** The number of roundings in a number computed from a few sums, with room to spare. */
    private static final int OPERATIONS = 32;

    private final double[] sums;
    private final PassLayout layout;
    private final int outputs;
    private final int width;

    /** Σ w x over all rows, the last entry of which is their weight. */
    private final double[] all;

    FreeIntercepts(double[] sums, PassLayout layout) {
        this.sums = sums;
        this.layout = layout;
        this.outputs = layout.outputs();
        this.width = layout.parameters() / outputs;
        this.all = new double[width];
        for (int k = 0; k < layout.parameters(); k++) {
            all[k % width] += sums[layout.rising() + k];
        }
    }

    /**
     * Returns the values for the totals of a pass.
     *
     * @param theta the point of the pass
     * @param vector v, or v plus a vector that does not depend on the slopes
     */
    public static FreeIntercept of(double[] sums, PassLayout layout, double[] theta, double[] vector) {
        return new FreeIntercepts(sums, layout).mixed(theta, vector);
    }

    private double weight() {
        return all[width - 1];
    }

    /** Bounds the error of a sum of probabilities, and of what a row's own class leaves to the others. */
    private double doubt() {
        return (outputs + OPERATIONS) * Rounding.UNIT * weight() + SumWords.MOST_ADDENDS * SumWords.ROUNDING;
    }

    /** Returns t, as large as rounding may make necessary. */
    double part() {
        double part = 0;
        for (int k = 0; k < outputs; k++) {
            int last = k * width + width - 1;
            double excess = sums[PassLayout.GRADIENT + last] + doubt();
            double likely = sums[PassLayout.GRADIENT + last] + sums[layout.rising() + last] - 2 * doubt();
            part = Math.max(part, excess <= 0 ? 0 : likely > excess ? excess / likely : 1);
        }
        return Math.min(1, (1 + OPERATIONS * Rounding.UNIT) * part);
    }

    private FreeIntercept mixed(double[] theta, double[] vector) {
        double part = part();
        double[] mixed = vector.clone();
        double shrunk = part * sums[PassLayout.LOSS];
        double size = shrunk;
        double moved = 0;
        double weights = 0;
        double margins = 0;
        for (int k = 0; k < outputs; k++) {
            double slope = sums[PassLayout.GRADIENT + k * width + width - 1];
            double likely = slope + sums[layout.rising() + k * width + width - 1];
            double share = Math.max(0, part * likely - slope) / weight();
            double margin = 0;
            double magnitude = 0;
            for (int c = 0; c < width; c++) {
                int at = k * width + c;
                double ofClass = part * sums[layout.rising() + at];
                double ofAll = share * all[c];
                double ofSlopes = part * sums[PassLayout.GRADIENT + at];
                mixed[at] += (ofAll - ofClass - ofSlopes) / sums[PassLayout.WEIGHT];
                moved += ofAll * ofAll + ofClass * ofClass + ofSlopes * ofSlopes;
                shrunk = Math.fma(ofClass - ofAll, theta[at], shrunk);
                size = Math.fma(Math.abs(ofClass) + Math.abs(ofAll), Math.abs(theta[at]), size);
                weights += c < width - 1 ? theta[at] * theta[at] : 0;
                margin = Math.fma(all[c], theta[at], margin);
                magnitude += Math.abs(all[c] * theta[at]);
            }
            margins += Math.abs(margin) + (width + OPERATIONS) * Rounding.UNIT * magnitude;
        }
        // What the sums of the rows of classes, and the weights of these, may be off by.
        double spread = part * (1 + Math.sqrt(outputs)) * sums[layout.risingSpread()];
        double shares = 3 * doubt() / weight();
        double more = 1 + layout.parameters() * Rounding.UNIT;
        double rounded = (layout.parameters() + outputs + OPERATIONS) * Rounding.UNIT;
        double length = spread + shares * Math.sqrt(outputs) * length(all) + rounded * 2 * Math.sqrt(moved);
        double slack = Math.max(0, shrunk)
                + part * sums[PassLayout.ERROR]
                + rounded * size
                + spread * Math.sqrt(weights)
                + shares * margins;
        double weight = sums[PassLayout.WEIGHT];
        return new FreeIntercept(
                layout.regularised(mixed), Math.max(0, shrunk) / weight, more * length / weight, more * slack / weight);
    }

    /** Returns a bound on the length of the entries that belong to regularised weights. */
    private static double length(double[] vector) {
        return Rounding.length(Arrays.copyOf(vector, vector.length - 1));
    }
}
