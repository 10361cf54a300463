package dev.starling.data;

import dev.starling.cores.Blocks;
import java.util.Arrays;
import java.util.List;

/**
 * Mean and population standard deviation of every feature and of the target. Computed from two sums over all rows,
 * which may be on several nodes: of the values, and of their squared distances from the means. Row weights do not
 * count.
 */
public final class Moments {

    /** The target comes first, then the features. */
    private static final int TARGET = 0;

    /** A deviation below this fraction of the mean is rounding error: values that differ at all differ by more. */
    private static final double CONSTANT = 0x1p-51;

    private final double[] means;
    private final double[] deviations;

    private Moments(double[] means, double[] deviations) {
        this.means = means;
        this.deviations = deviations;
    }

    /** The moments of a dataset; the same bits whatever its layout. */
    public static Moments of(Dataset rows) {
        double[] means = means(sums(rows));
        return of(rows.rows(), means, squares(rows, means));
    }

    /**
     * The moments of rows that were summed up.
     *
     * @param rows number of rows
     * @param means as {@link #means} gives them
     * @param squares as {@link #squares} gives them, summed up
     */
    public static Moments of(long rows, double[] means, double[] squares) {
        double[] deviations = new double[means.length];
        for (int c = 0; c < means.length; c++) {
            double deviation = Math.sqrt(squares[c] / rows);
            deviations[c] = deviation > CONSTANT * Math.abs(means[c]) ? deviation : 0;
        }
        return new Moments(means, deviations);
    }

    /** Sums over rows: their number, then the sums of the target and the features. */
    public static double[] sums(Dataset rows) {
        double[] values = new Sums(rows, new double[0]).all().values();
        double[] result = new double[1 + values.length];
        result[0] = rows.rows();
        System.arraycopy(values, 0, result, 1, values.length);
        return result;
    }

    /** The means of target and features, from the sums of all rows. */
    public static double[] means(double[] sums) {
        double[] means = new double[sums.length - 1];
        Arrays.setAll(means, c -> sums[1 + c] / sums[0]);
        return means;
    }

    /** Sums over rows: the squared distances of the target and the features from their means. */
    public static double[] squares(Dataset rows, double[] means) {
        Sums sums = new Sums(rows, means).all();
        double[] result = sums.values();
        for (int c = 1; c < result.length; c++) {
            result[c] += (rows.rows() - sums.present[c]) * means[c] * means[c];
        }
        return result;
    }

    /** Number of features. */
    public int features() {
        return means.length - 1;
    }

    /** Mean of a feature. */
    public double mean(int feature) {
        return means[1 + feature];
    }

    /** Population standard deviation of a feature; exactly 0 if it is constant, and only then. */
    public double deviation(int feature) {
        return deviations[1 + feature];
    }

    /** Population standard deviations of all features. */
    public List<Double> deviations() {
        return Arrays.stream(deviations).skip(1).boxed().toList();
    }

    /** Mean of the target. */
    public double targetMean() {
        return means[TARGET];
    }

    /** Population standard deviation of the target; exactly 0 if it is constant, and only then. */
    public double targetDeviation() {
        return deviations[TARGET];
    }

    /**
     * Sums over rows of the target and the features, or of the squares of their distances from means: kept as two
     * doubles each (Knuth's two-sum), so that the order of rows hardly matters.
     */
    private static final class Sums implements Blocks.Part<Sums> {
        private final Dataset rows;
        private final double[] means;
        private final double[] sums;
        private final double[] rests;
        private final int[] present;

        /** @param means the means, or nothing if values are to be summed up */
        Sums(Dataset rows, double[] means) {
            this.rows = rows;
            this.means = means;
            this.sums = new double[rows.features() + 1];
            this.rests = new double[sums.length];
            this.present = new int[sums.length];
        }

        /** Adds all rows. */
        Sums all() {
            double values = rows.storedValues() / Math.max(1.0, rows.rows());
            Blocks.sum(
                    rows.rows(),
                    Blocks.rows(values, 4 * values, 3 * sums.length),
                    3 * sums.length,
                    this,
                    () -> new Sums(rows, means));
            return this;
        }

        @Override
        public void clear() {
            Arrays.fill(sums, 0);
            Arrays.fill(rests, 0);
            Arrays.fill(present, 0);
        }

        @Override
        public void sum(int from, int to) {
            boolean squares = means.length > 0;
            for (int i = from; i < to; i++) {
                double target = rows.label(i) - (squares ? means[TARGET] : 0);
                add(TARGET, squares ? target * target : target);
                int end = rows.end(i);
                for (int k = rows.start(i); k < end; k++) {
                    int c = 1 + rows.column(i, k);
                    double value = rows.value(i, k);
                    if (!squares) {
                        add(c, value);
                    } else if (value != 0) {
                        add(c, (value - means[c]) * (value - means[c]));
                        present[c]++;
                    }
                }
            }
        }

        @Override
        public void add(Sums next) {
            for (int c = 0; c < sums.length; c++) {
                add(c, next.sums[c]);
                rests[c] += next.rests[c];
                present[c] += next.present[c];
            }
        }

        private void add(int at, double value) {
            double before = sums[at];
            double sum = before + value;
            double back = sum - before;
            sums[at] = sum;
            rests[at] += (before - (sum - back)) + (value - back);
        }

        double[] values() {
            double[] values = new double[sums.length];
            Arrays.setAll(values, k -> sums[k] + rests[k]);
            return values;
        }
    }
}
