package dev.starling.inference;

import java.util.Arrays;

/**
 * Nodes and weights for means under the normal distribution, exact for polynomials of degree 2k − 1.
 *
 * @param nodes the zeros of the k-th Hermite polynomial, ascending
 * @param weights of which the sum is 1
 */
public record GaussHermite(double[] nodes, double[] weights) {

    /** With more nodes than this, values at the outermost ones are too small for a double. */
    public static final int MOST = 100;

    /** The rule of k nodes. */
    public static GaussHermite of(int k) {
        double[] nodes = new double[k];
        double[] weights = new double[k];
        for (int i = 0; i < k; i++) {
            nodes[i] = zero(i, k);
            double[] values = polynomials(nodes[i], k);
            weights[i] = 1
                    / Arrays.stream(values).limit(k).map(value -> value * value).sum();
        }
        return new GaussHermite(nodes, weights);
    }

    /** The zero that has i others below it, by halving an interval. */
    private static double zero(int i, int k) {
        if (2 * i + 1 == k) {
            return 0;
        }
        double low = -2 * Math.sqrt(k);
        double high = -low;
        for (double middle = 0; middle > low && middle < high; middle = low + (high - low) / 2) {
            if (below(middle, k) <= i) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The number of zeros below a point: that of sign changes in Sturm's sequence. */
    private static int below(double point, int k) {
        int count = 0;
        double ratio = point;
        for (int j = 1; j <= k; j++) {
            double last = ratio == 0 ? Double.MIN_NORMAL : ratio;
            count += last > 0 ? 1 : 0;
            ratio = point - j / last;
        }
        return count;
    }

    /** The values of the first k + 1 Hermite polynomials, each with mean square 1. */
    private static double[] polynomials(double point, int k) {
        double[] values = new double[k + 1];
        values[0] = 1;
        for (int j = 0; j < k; j++) {
            double before = j == 0 ? 0 : Math.sqrt(j) * values[j - 1];
            values[j + 1] = (point * values[j] - before) / Math.sqrt(j + 1.0);
        }
        return values;
    }
}
