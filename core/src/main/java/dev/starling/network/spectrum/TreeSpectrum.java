package dev.starling.network.spectrum;

import dev.starling.network.Network;
import dev.starling.network.SpanningTree;

/**
 * The spectrum of a tree with any weights and diagonal, by counting the eigenvalues below a point and bisecting.
 *
 * <p>L − xD is eliminated from the leaves to the root; it has as many negative eigenvalues as negative pivots (Jacobs
 * and Trevisan). Written with the excess s of a pivot w + s over the weight w of the edge upwards,
 *
 * <pre>s_i = −x d_i + Σ over children c of w_c s_c / (w_c + s_c),</pre>
 *
 * there is no cancellation, so that even the smallest eigenvalue of a very long line is accurate to the last digits.
 */
public final class TreeSpectrum {

    private final int size;
    /**
     * Nodes from the root to the leaves; {@code parents} and {@code weights}, of the edges upwards, are in this order.
     */
    private final int[] order;

    private final int[] parents;
    private final double[] weights;
    private final double[] diagonal;
    private final double[] excess;
    private final double bound;

    public TreeSpectrum(Network network, double[] diagonal) {
        this.size = network.size();
        this.diagonal = diagonal;
        this.order = new int[size];
        this.parents = new int[size];
        this.weights = new double[size];
        this.excess = new double[size];
        SpanningTree tree = network.treeFromNodeZero();
        int reached = 1;
        double largest = 0;
        for (int at = 0; at < size; at++) {
            int node = order[at];
            parents[at] = tree.parent(node);
            double strength = 0;
            int[] around = network.neighbours(node);
            for (int k = 0; k < around.length; k++) {
                double weight = network.edgeWeights(node)[k];
                strength += weight;
                if (around[k] == parents[at]) {
                    weights[at] = weight;
                } else {
                    order[reached++] = around[k];
                }
            }
            largest = Math.max(largest, 2 * strength / diagonal[node]);
        }
        bound = largest;
    }

    public static boolean fits(Network network) {
        return network.edges() == network.size() - 1;
    }

    /** The smallest non-zero eigenvalue: the largest x with only zero below it. */
    public double smallest() {
        double low = bound;
        while (countBelow(low) >= 2) {
            low *= 0.5;
        }
        return bisect(low, Math.min(bound * (1 + 1e-15), 2 * low), 2);
    }

    /** The largest eigenvalue: the largest x with some eigenvalue not below it. */
    public double largest() {
        return bisect(0, bound * (1 + 1e-15), size);
    }

    /** The rank-th smallest eigenvalue, known to lie between two points. */
    private double bisect(double from, double to, int rank) {
        double low = from;
        double high = to;
        while (high - low > 4e-16 * high) {
            double middle = low + (high - low) / 2;
            if (middle <= low || middle >= high) {
                break;
            }
            if (countBelow(middle) >= rank) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low + (high - low) / 2;
    }

    private int countBelow(double x) {
        for (int i = 0; i < size; i++) {
            excess[i] = -x * diagonal[i];
        }
        int count = 0;
        for (int at = size - 1; at > 0; at--) {
            double own = excess[order[at]];
            double pivot = weights[at] + own;
            if (pivot == 0) {
                pivot = -Double.MIN_NORMAL;
            }
            if (pivot < 0) {
                count++;
            }
            excess[parents[at]] += weights[at] * (own / pivot);
        }
        return excess[0] < 0 ? count + 1 : count;
    }
}
