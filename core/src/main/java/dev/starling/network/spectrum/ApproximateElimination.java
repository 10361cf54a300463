package dev.starling.network.spectrum;

import dev.starling.internal.Vectors;
import java.util.Arrays;
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
        private final DegreeQueue queue;
        private final UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(SEED);
        private int[] edges = new int[16];
        private int[] scratch = new int[16];
        private double[] cumulative = new double[16];
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
            int[] degrees = new int[size];
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
            queue = new DegreeQueue(degrees);
        }

        private void attach(int half, int from, int to, double weight) {
            target[half] = to;
            value[half] = weight;
            next[half] = first[from];
            first[from] = half;
        }

        void run() {
            for (int step = 0; step < order.length; step++) {
                int node = queue.poll();
                order[step] = node;
                eliminate(step, gather(node));
                starts[step + 1] = stored;
            }
        }

        /** Collects the edges of a node by ascending weight, merging parallel ones, and returns how many there are. */
        private int gather(int node) {
            int count = 0;
            for (int half = first[node]; half >= 0; half = next[half]) {
                if (value[half] == 0) {
                    continue;
                }
                int other = target[half];
                if (seen[other] > 0) {
                    value[seen[other] - 1] += value[half];
                    value[half ^ 1] = 0;
                    queue.decrease(other);
                } else {
                    if (count == edges.length) {
                        edges = Arrays.copyOf(edges, 2 * count);
                    }
                    seen[other] = half + 1;
                    edges[count++] = half;
                }
            }
            for (int k = 0; k < count; k++) {
                seen[target[edges[k]]] = 0;
            }
            sortByValue(count);
            return count;
        }

        /** Merge sort, stable, so that ties keep the order of the list. */
        private void sortByValue(int count) {
            if (scratch.length < count) {
                scratch = new int[edges.length];
            }
            for (int width = 1; width < count; width *= 2) {
                for (int low = 0; low < count; low += 2 * width) {
                    merge(low, Math.min(low + width, count), Math.min(low + 2 * width, count));
                }
                int[] swap = edges;
                edges = scratch;
                scratch = swap;
            }
        }

        private void merge(int low, int middle, int high) {
            int left = low;
            int right = middle;
            for (int k = low; k < high; k++) {
                boolean takeLeft = left < middle && (right >= high || value[edges[left]] <= value[edges[right]]);
                scratch[k] = edges[takeLeft ? left++ : right++];
            }
        }

        private void eliminate(int step, int count) {
            if (count == 0) {
                throw new IllegalStateException("the graph fell apart while it was factorised");
            }
            if (cumulative.length < count) {
                cumulative = new double[edges.length];
            }
            double total = 0;
            for (int k = 0; k < count; k++) {
                total += value[edges[k]];
                cumulative[k] = total;
            }
            double remaining = total;
            double scale = 1;
            for (int k = 0; k < count - 1; k++) {
                double fraction = value[edges[k]] * scale / remaining;
                int partner = sample(k, count, total);
                redirect(edges[k], target[edges[partner]], fraction * (1 - fraction) * remaining);
                store(target[edges[k]], fraction);
                scale *= 1 - fraction;
                remaining *= (1 - fraction) * (1 - fraction);
            }
            int last = edges[count - 1];
            store(target[last], 1.0);
            pivots[step] = value[last] * scale;
            value[last ^ 1] = 0;
            queue.decrease(target[last]);
        }

        /** One of the heavier edges after k, with probability proportional to its weight. */
        private int sample(int k, int count, double total) {
            double point = cumulative[k] + random.nextDouble() * (total - cumulative[k]);
            int low = k + 1;
            int high = count - 1;
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
            queue.increase(k);
        }
    }
}
