package dev.starling.network.spectrum;

import dev.starling.internal.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * An approximate Cholesky factorisation of a Laplacian, used as a preconditioner: nodes are eliminated from low degree
 * to high, and the clique that an elimination leaves behind is replaced by a random tree with the same expectation.
 *
 * <p>After Gao, Kyng and Spielman, "Robust and practical solution of Laplacian equations by approximate elimination".
 * The number of edges never grows, so the time is almost linear in the number of edges. Eliminating nodes of degree 1
 * or 2, as on trees and rings, is exact.
 */
public final class ApproximateElimination {

    private static final long SEED = 0x57A2L;

    private final int size;
    /** Eliminated nodes, in order; the last node of all is left. */
    private final int[] order;

    private final int[] starts;
    private int[] rows;
    private double[] fractions;
    private final double[] pivots;
    private int stored;

    public ApproximateElimination(Laplacian laplacian) {
        size = laplacian.size;
        order = new int[Math.max(0, size - 1)];
        starts = new int[size];
        int half = laplacian.columns.length / 2;
        rows = new int[half + size];
        fractions = new double[half + size];
        pivots = new double[size];
        new Elimination(laplacian).run();
        rows = Arrays.copyOf(rows, stored);
        fractions = Arrays.copyOf(fractions, stored);
    }

    /** Replaces a right-hand side b that sums to zero with the approximate solution of L x = b that sums to zero. */
    public void solve(double[] y) {
        for (int step = 0; step < order.length; step++) {
            int last = starts[step + 1] - 1;
            double value = y[order[step]];
            for (int k = starts[step]; k < last; k++) {
                y[rows[k]] += fractions[k] * value;
                value *= 1 - fractions[k];
            }
            y[rows[last]] += value;
            y[order[step]] = value / pivots[step];
        }
        y[order.length > 0 ? rows[stored - 1] : 0] = 0;
        for (int step = order.length - 1; step >= 0; step--) {
            int last = starts[step + 1] - 1;
            double value = y[order[step]] + y[rows[last]];
            for (int k = last - 1; k >= starts[step]; k--) {
                value = (1 - fractions[k]) * value + fractions[k] * y[rows[k]];
            }
            y[order[step]] = value;
        }
        double mean = Vectors.sum(y) / size;
        for (int i = 0; i < size; i++) {
            y[i] -= mean;
        }
    }

    private void store(int row, double fraction) {
        if (stored == rows.length) {
            rows = Arrays.copyOf(rows, 2 * stored);
            fractions = Arrays.copyOf(fractions, 2 * stored);
        }
        rows[stored] = row;
        fractions[stored++] = fraction;
    }

    /**
     * The graph while it shrinks. Half-edges 2e and 2e + 1 are the two directions of an edge, kept in linked lists; a
     * value of 0 marks one that has been removed.
     */
    private final class Elimination {
        private final int[] first;
        private final int[] next;
        private final int[] target;
        private final double[] value;
        private final int[] degrees;
        /** Nodes below their degrees at some time, lowest first; who has another degree by now is passed over. */
        private final PriorityQueue<Long> queue = new PriorityQueue<>();

        private final UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(SEED);
        /** Which half-edge of the current node already leads to a neighbour, plus 1. */
        private final int[] seen;

        Elimination(Laplacian laplacian) {
            int halves = laplacian.columns.length;
            first = new int[size];
            Arrays.fill(first, -1);
            next = new int[halves];
            target = new int[halves];
            value = new double[halves];
            seen = new int[size];
            degrees = new int[size];
            int half = 0;
            for (int i = 0; i < size; i++) {
                degrees[i] = laplacian.offsets[i + 1] - laplacian.offsets[i];
                for (int k = laplacian.offsets[i]; k < laplacian.offsets[i + 1]; k++) {
                    int other = laplacian.columns[k];
                    if (other > i) {
                        attach(half++, i, other, laplacian.weights[k]);
                        attach(half++, other, i, laplacian.weights[k]);
                    }
                }
            }
            for (int node = 0; node < size; node++) {
                change(node, 0);
            }
        }

        private void attach(int half, int from, int to, double weight) {
            target[half] = to;
            value[half] = weight;
            next[half] = first[from];
            first[from] = half;
        }

        private void change(int node, int by) {
            degrees[node] += by;
            queue.add(((long) degrees[node] << 32) | node);
        }

        /** Takes out a node of the lowest degree. */
        private int poll() {
            while (true) {
                long lowest = queue.remove();
                int node = (int) lowest;
                if (degrees[node] == lowest >> 32) {
                    degrees[node] = -1;
                    return node;
                }
            }
        }

        void run() {
            for (int step = 0; step < order.length; step++) {
                order[step] = poll();
                eliminate(step, gather(order[step]));
                starts[step + 1] = stored;
            }
        }

        /** Returns the edges of a node by ascending weight, parallel ones merged; ties keep the order of the list. */
        private List<Integer> gather(int node) {
            List<Integer> edges = new ArrayList<>();
            for (int half = first[node]; half >= 0; half = next[half]) {
                if (value[half] == 0) {
                    continue;
                }
                int other = target[half];
                if (seen[other] > 0) {
                    value[seen[other] - 1] += value[half];
                    value[half ^ 1] = 0;
                    change(other, -1);
                } else {
                    seen[other] = half + 1;
                    edges.add(half);
                }
            }
            edges.forEach(edge -> seen[target[edge]] = 0);
            edges.sort(Comparator.comparingDouble(edge -> value[edge]));
            return edges;
        }

        private void eliminate(int step, List<Integer> edges) {
            int count = edges.size();
            if (count == 0) {
                throw new IllegalStateException("the graph fell apart while it was factorised");
            }
            double[] cumulative = new double[count];
            double total = 0;
            for (int k = 0; k < count; k++) {
                total += value[edges.get(k)];
                cumulative[k] = total;
            }
            double remaining = total;
            double scale = 1;
            for (int k = 0; k < count - 1; k++) {
                int edge = edges.get(k);
                double fraction = value[edge] * scale / remaining;
                int partner = sample(k, cumulative);
                redirect(edge, target[edges.get(partner)], fraction * (1 - fraction) * remaining);
                store(target[edge], fraction);
                scale *= 1 - fraction;
                remaining *= (1 - fraction) * (1 - fraction);
            }
            int last = edges.get(count - 1);
            store(target[last], 1.0);
            pivots[step] = value[last] * scale;
            value[last ^ 1] = 0;
            change(target[last], -1);
        }

        /** One of the heavier edges after k, with probability proportional to its weight. */
        private int sample(int k, double[] cumulative) {
            int high = cumulative.length - 1;
            double total = cumulative[high];
            double point = cumulative[k] + random.nextDouble() * (total - cumulative[k]);
            int low = k + 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (cumulative[middle] < point) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        /** Turns the edge from the eliminated node to j into one between j and k. */
        private void redirect(int half, int k, double weight) {
            int j = target[half];
            target[half ^ 1] = k;
            value[half ^ 1] = weight;
            attach(half, k, j, weight);
            change(k, 1);
        }
    }
}
