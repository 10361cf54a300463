package dev.starling.objective;

import dev.starling.cores.Loops;
import dev.starling.data.Dataset;
import dev.starling.data.Values;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;

/**
 * The samples of a node that a pass visits: every k-th one. Where columns have values in hardly any of those, all the
 * others with values there can be visited too, and all of these count a k-th each. Otherwise a sample would say next to
 * nothing about the coefficients of such columns, and far too much about those of which it happens to have one value.
 */
final class RowSample {

    /** A column with values in at least this many rows of a sample needs no others. */
    private static final int ENOUGH = 16;

    /**
     * A column matters to the steps of a run if the sum of its squares is at least this many times the regulariser: the
     * rows that it alone tells apart then have margins beyond 5, where curvature all but vanishes.
     */
    private static final double STEEP = 1000;

    /** With this many times more values in such columns than samples, finding all would cost more than it is worth. */
    private static final int MOST_FOUND = 4;

    private final int stride;
    private final int size;

    /** The samples in ascending order, and which of them are there for a column; null if every k-th is visited. */
    private final int[] picked;

    private final BitSet rare;

    private RowSample(int stride, int size, int[] picked, BitSet rare) {
        this.stride = stride;
        this.size = size;
        this.picked = picked;
        this.rare = rare;
    }

    /** Every k-th of a number of samples. */
    static RowSample every(int stride, int samples) {
        return new RowSample(stride, (int) ((samples + stride - 1L) / stride), null, null);
    }

    /** These, and about as many at most with values in columns that hardly any of these have values in. */
    static RowSample withRareColumns(int stride, LocalProblem problem) {
        RowSample even = every(stride, problem.samples());
        if (stride == 1 || !rareColumnsMayMatter(stride, problem)) {
            return even;
        }
        BitSet rare = rareSamples(rareColumns(even, problem), problem, even.size);
        if (rare.isEmpty()) {
            return even;
        }
        BitSet picked = (BitSet) rare.clone();
        for (int k = 0; k < even.size; k++) {
            picked.set(even.sample(k));
        }
        return new RowSample(stride, picked.cardinality(), picked.stream().toArray(), rare);
    }

    /** A column with hardly any values in a sample has a stride times as many in all, or a few more by chance. */
    private static boolean rareColumnsMayMatter(int stride, LocalProblem problem) {
        double largest = problem.data().largest();
        return problem.data().isWeighted() || 2.0 * ENOUGH * stride * largest * largest >= STEEP * problem.sigma();
    }

    /** Which columns have values in too few rows of a sample; empty if none has. */
    private static boolean[] rareColumns(RowSample sample, LocalProblem problem) {
        Dataset data = problem.data();
        int[] present = new int[data.features()];
        for (int k = 0; k < sample.size; k++) {
            int row = problem.row(sample.sample(k));
            Values values = data.values(row);
            int[] places = data.columns(row);
            int start = data.start(row);
            int end = data.end(row);
            for (int i = start; i < end; i++) {
                present[data.isDense() ? i - start : places[i]] += values.at(i) == 0 ? 0 : 1;
            }
        }
        boolean[] columns = new boolean[data.features()];
        boolean any = false;
        for (int c = 0; c < columns.length; c++) {
            columns[c] = present[c] < ENOUGH;
            any |= columns[c];
        }
        return any ? columns : new boolean[0];
    }

    /** The samples with values in such of these columns as matter. */
    private static BitSet rareSamples(boolean[] columns, LocalProblem problem, int most) {
        BitSet samples = new BitSet();
        if (columns.length == 0) {
            return samples;
        }
        int limit = (int) Math.min(MOST_FOUND * (long) most, problem.samples());
        Map<Integer, Found> blocks = new ConcurrentSkipListMap<>();
        Loops.overRows(
                problem.samples(),
                Loops.rows(problem.valuesPerRow()),
                (from, to) -> blocks.put(from, Found.in(columns, problem, from, to, limit)));
        if (blocks.values().stream().mapToLong(found -> found.count).sum() >= limit) {
            return samples;
        }
        int[] counts = new int[columns.length];
        double[] squares = new double[columns.length];
        for (Found found : blocks.values()) {
            for (int k = 0; k < found.count; k++) {
                counts[found.columns[k]]++;
                squares[found.columns[k]] += found.squares[k];
            }
        }
        int[] kept = IntStream.range(0, columns.length)
                .filter(c -> counts[c] > 0 && squares[c] >= STEEP * problem.sigma())
                .boxed()
                .sorted(Comparator.comparing(c -> counts[c]))
                .mapToInt(c -> c)
                .toArray();
        boolean[] chosen = new boolean[columns.length];
        int left = most;
        for (int k = 0; k < kept.length && counts[kept[k]] <= left; k++) {
            left -= counts[kept[k]];
            chosen[kept[k]] = true;
        }
        for (Found found : blocks.values()) {
            for (int k = 0; k < found.count; k++) {
                if (chosen[found.columns[k]]) {
                    samples.set(found.samples[k]);
                }
            }
        }
        return samples;
    }

    /** Values in some columns, and of which samples they are; of more than a limit only so many. */
    private static final class Found {
        private int[] samples = new int[ENOUGH];
        private int[] columns = new int[ENOUGH];
        private double[] squares = new double[ENOUGH];
        private int count;

        static Found in(boolean[] wanted, LocalProblem problem, int from, int to, int limit) {
            Found found = new Found();
            Dataset data = problem.data();
            for (int j = from; j < to && found.count < limit; j++) {
                int row = problem.row(j);
                Values values = data.values(row);
                int[] places = data.columns(row);
                int start = data.start(row);
                int end = data.end(row);
                for (int i = start; i < end; i++) {
                    int column = data.isDense() ? i - start : places[i];
                    if (wanted[column] && values.at(i) != 0) {
                        found.add(j, column, data.weight(row) * values.at(i) * values.at(i));
                    }
                }
            }
            return found;
        }

        private void add(int sample, int column, double square) {
            if (count == samples.length) {
                samples = Arrays.copyOf(samples, 2 * count);
                columns = Arrays.copyOf(columns, 2 * count);
                squares = Arrays.copyOf(squares, 2 * count);
            }
            samples[count] = sample;
            columns[count] = column;
            squares[count++] = square;
        }
    }

    /** How many samples there are. */
    int size() {
        return size;
    }

    /** Whether all of them count the same. */
    boolean isEven() {
        return picked == null;
    }

    /** The k-th one. */
    int sample(int k) {
        return picked == null ? k * stride : picked[k];
    }

    /** How much it counts. */
    double share(int k) {
        return picked != null && rare.get(picked[k]) ? 1.0 / stride : 1;
    }
}
