package dev.starling.method.multipliers;

import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * What a node has told of its samples before: for each sum, what every sample was multiplied by. Kinks leave most
 * samples as they are from one sum to the next, so that the difference of two sums could be a few samples, or one. A
 * node therefore tells what it told before until enough of its samples make the difference.
 */
final class ToldShares {

    private static final long MOST_BYTES = 32L << 20;

    /** No sample may be more than this part of a difference, in squares. */
    private static final double MOST_OF_ONE = 0.5;

    private final int fewest;
    private final int most;
    private final double[] weights;
    private final boolean apart;
    private final Predicate<double[]> allowed;
    private final Deque<double[]> told = new ArrayDeque<>();

    /**
     * Nothing was told yet.
     *
     * @param weights of the samples
     * @param fewest samples in a difference; with one or none everything is told as it is
     * @param apart whether a sum over the samples with positive shares is told as well
     * @param allowed whether samples may have these shares, with their weights, in another sum
     */
    ToldShares(double[] weights, int fewest, boolean apart, Predicate<double[]> allowed) {
        this.allowed = allowed;
        this.weights = weights;
        this.apart = apart;
        this.fewest = fewest;
        this.most = (int) Math.max(1, MOST_BYTES / Double.BYTES / Math.max(1, weights.length));
    }

    /** Whether anything is ever held back. */
    boolean isReticent() {
        return fewest > 1;
    }

    /**
     * What to tell in the place of shares: the shares, or the nearest of what was told if that takes but a few or if
     * the shares are not allowed.
     */
    double[] insteadOf(double[] shares) {
        boolean refused = isReticent() && !told.isEmpty() && !allowed.test(weighted(shares));
        double[] nearest = shares;
        double least = Double.POSITIVE_INFINITY;
        for (double[] before : told) {
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

    /** Remembers what is told, as far back as there is room. */
    void add(double[] shares) {
        if (isReticent() && !told.contains(shares)) {
            told.addLast(shares.clone());
            if (told.size() > most) {
                told.removeFirst();
            }
        }
    }

    /** Whether the difference of two sums would be of some samples but too few, or of one above all. */
    boolean differInFew(double[] one, double[] other) {
        if (!isReticent()) {
            return false;
        }
        return apart
                ? differInFew(one, other, 0, Double.POSITIVE_INFINITY)
                        || differInFew(one, other, Double.NEGATIVE_INFINITY, 0)
                : differInFew(one, other, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /** The same of shares that are clipped. */
    private boolean differInFew(double[] one, double[] other, double low, double high) {
        int count = 0;
        double squares = 0;
        double largest = 0;
        for (int j = 0; j < weights.length; j++) {
            double before = Math.max(low, Math.min(high, one[j]));
            double difference = weights[j] * (Math.max(low, Math.min(high, other[j])) - before);
            double square = difference * difference;
            count += difference != 0 ? 1 : 0;
            squares += square;
            largest = Math.max(largest, square);
        }
        return count > 0 && (count < fewest || largest > MOST_OF_ONE * squares);
    }

    private double distance(double[] one, double[] other) {
        double squares = 0;
        for (int j = 0; j < weights.length; j++) {
            double difference = weights[j] * (other[j] - one[j]);
            squares += difference * difference;
        }
        return squares;
    }

    void save(DataOutput out) throws IOException {
        out.writeInt(told.size());
        for (double[] shares : told) {
            SavedState.writeDoubles(out, shares);
        }
    }

    void restore(DataInput in) throws IOException {
        told.clear();
        for (int left = in.readInt(); left > 0; left--) {
            double[] shares = new double[weights.length];
            SavedState.readDoubles(in, shares);
            told.addLast(shares);
        }
    }
}
