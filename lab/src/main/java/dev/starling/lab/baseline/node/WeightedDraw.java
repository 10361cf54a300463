package dev.starling.lab.baseline.node;

import org.apache.commons.rng.UniformRandomProvider;

/** Draws indices with given probabilities, by inverting their cumulative sum. */
public final class WeightedDraw {

    private final double[] upTo;

    /** Makes probabilities proportional to the weights, at least one of which is positive and none negative. */
    public WeightedDraw(double[] weights) {
        upTo = new double[weights.length];
        double sum = 0;
        for (int k = 0; k < weights.length; k++) {
            sum += weights[k];
            upTo[k] = sum;
        }
    }

    public int draw(UniformRandomProvider random) {
        double point = (random.nextLong() >>> 11) * 0x1p-53 * upTo[upTo.length - 1];
        int low = 0;
        int high = upTo.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (upTo[middle] > point) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Whether an event with this probability happens. */
    public static boolean toss(UniformRandomProvider random, double probability) {
        return (random.nextLong() >>> 11) * 0x1p-53 < probability;
    }

    /** A uniform index below a bound. */
    public static int uniform(UniformRandomProvider random, int bound) {
        return (int) (((random.nextLong() >>> 32) * bound) >>> 32);
    }
}
