package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
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
        BitSet rare = stride == 1 ? new BitSet() : rareSamples(rareColumns(even, problem), problem, even.size);
        if (rare.isEmpty()) {
            return even;
        }
        int[] picked = IntStream.range(0, problem.samples())
                .filter(j -> j % stride == 0 || rare.get(j))
                .toArray();
        return new RowSample(stride, picked.length, picked, rare);
    }

    /** Which columns have values in too few rows of a sample; empty if none has. */
    private static boolean[] rareColumns(RowSample sample, LocalProblem problem) {
        Dataset data = problem.data();
        int[] present = new int[data.features()];
        for (int k = 0; k < sample.size; k++) {
            int row = problem.row(sample.sample(k));
            for (int i = data.start(row); i < data.end(row); i++) {
                present[data.column(row, i)] += data.value(row, i) == 0 ? 0 : 1;
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
        Dataset data = problem.data();
        int[] counts = new int[columns.length];
        double[] squares = new double[columns.length];
        int[] foundSamples = new int[(int) Math.min(MOST_FOUND * (long) most, problem.samples())];
        int[] foundColumns = new int[foundSamples.length];
        int found = 0;
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            for (int i = data.start(row); i < data.end(row); i++) {
                int column = data.column(row, i);
                double value = columns[column] ? data.value(row, i) : 0;
                if (value != 0) {
                    if (found == foundSamples.length) {
                        return samples;
                    }
                    counts[column]++;
                    squares[column] += data.weight(row) * value * value;
                    foundSamples[found] = j;
                    foundColumns[found++] = column;
                }
            }
        }
        int[] kept = IntStream.range(0, columns.length)
                .filter(c -> counts[c] > 0 && squares[c] >= STEEP * problem.sigma())
                .boxed()
                .sorted(Comparator.comparing(c -> counts[c]))
                .mapToInt(c -> c)
                .toArray();
        Arrays.fill(columns, false);
        int left = most;
        for (int k = 0; k < kept.length && counts[kept[k]] <= left; k++) {
            left -= counts[kept[k]];
            columns[kept[k]] = true;
        }
        for (int k = 0; k < found; k++) {
            if (columns[foundColumns[k]]) {
                samples.set(foundSamples[k]);
            }
        }
        return samples;
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
