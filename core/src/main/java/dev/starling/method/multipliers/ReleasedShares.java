package dev.starling.method.multipliers;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumDifference;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * What a node has released about its samples so far: the share of every sample in each sum, which is the number that
 * the sample was multiplied by. Most shares stay the same from one sum to the next, so the difference of two sums could
 * reveal a few samples, or a single one. A node therefore repeats what it has released before until enough of its
 * samples have changed.
 */
final class ReleasedShares implements Stateful {

    private static final long MOST_BYTES = 32L << 20;

    private final int fewest;
    private final int most;
    private final double[] weights;
    private final boolean splitBySign;
    private final Predicate<double[]> allowed;
    private final Deque<double[]> released = new ArrayDeque<>();

    /**
     * Creates a history without releases.
     *
     * @param weights the weights of the samples
     * @param fewest the smallest number of samples in which two releases may differ; if it is at most 1, nothing is
     *     ever withheld
     * @param splitBySign whether the sum over the samples with positive shares is released as well
     * @param allowed whether another sum may be released with these shares, which are multiplied by the samples'
     *     weights
     */
    ReleasedShares(double[] weights, int fewest, boolean splitBySign, Predicate<double[]> allowed) {
        this.allowed = allowed;
        this.weights = weights;
        this.splitBySign = splitBySign;
        this.fewest = fewest;
        this.most = (int) Math.max(1, MOST_BYTES / Double.BYTES / Math.max(1, weights.length));
    }

    /** Returns whether anything is ever withheld. */
    boolean withholds() {
        return fewest > 1;
    }

    /**
     * Returns what to release for given shares: the shares themselves or, if they differ in only a few samples from an
     * earlier release or are not allowed, the nearest of such earlier releases.
     */
    double[] substituteFor(double[] shares) {
        return substituteFor(shares, shares);
    }

    /** @param first what to release if the very first shares are not allowed */
    double[] substituteFor(double[] shares, double[] first) {
        boolean refused = withholds() && (first != shares || !released.isEmpty()) && !allowed.test(weighted(shares));
        double[] nearest = refused ? first : shares;
        double least = Double.POSITIVE_INFINITY;
        for (double[] before : released) {
            if (refused || differInFew(before, shares)) {
                double distance = distance(before, shares);
                nearest = distance < least ? before : nearest;
                least = Math.min(least, distance);
            }
        }
        return nearest;
    }

    private double[] weighted(double[] shares) {
        double[] weighted = shares.clone();
        for (int j = 0; j < weights.length; j++) {
            weighted[j] *= weights[j];
        }
        return weighted;
    }

    /** Records a release; the oldest are dropped when there is no more room. */
    void add(double[] shares) {
        if (withholds() && !released.contains(shares)) {
            released.addLast(shares.clone());
            if (released.size() > most) {
                released.removeFirst();
            }
        }
    }

    /** Returns whether two sums differ in at least one sample but in too few, or mostly in a single one. */
    boolean differInFew(double[] one, double[] other) {
        return withholds() && SumDifference.isOfFew(weights, one, other, fewest, splitBySign);
    }

    private double distance(double[] one, double[] other) {
        double squares = 0;
        for (int j = 0; j < weights.length; j++) {
            double difference = weights[j] * (other[j] - one[j]);
            squares += difference * difference;
        }
        return squares;
    }

    @Override
    public void state(State s) throws IOException {
        s.elements(released, new double[0], (state, shares) -> state.vector(shares, weights.length));
    }
}
