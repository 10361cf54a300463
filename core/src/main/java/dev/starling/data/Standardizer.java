package dev.starling.data;

import java.util.Arrays;

/**
 * Brings features, and in regression the target, to mean 0 and population standard deviation 1, and models fitted to
 * such rows back to raw ones. Immutable.
 *
 * <pre>{@code
 * Standardizer standardizer = Standardizer.centred(Standardizer.Moments.of(rows)).withTarget();
 * Dataset standardised = standardizer.apply(rows);
 * }</pre>
 *
 * <p>Constant features become 0 when centred; when only scaled, so that sparse rows stay sparse, they stay as they are.
 */
public final class Standardizer {

    private final boolean centred;
    private final boolean target;
    private final double[] means;
    /** 1/deviation; 0 for what becomes 0. */
    private final double[] factors;

    private final double[] deviations;
    private final double targetMean;
    private final double targetDeviation;

    private Standardizer(
            boolean centred,
            boolean target,
            double[] means,
            double[] deviations,
            double targetMean,
            double targetDeviation) {
        this.centred = centred;
        this.target = target;
        this.means = means;
        this.deviations = deviations;
        this.targetMean = targetMean;
        this.targetDeviation = targetDeviation;
        this.factors = new double[means.length];
        for (int c = 0; c < means.length; c++) {
            factors[c] = deviations[c] > 0 ? 1 / deviations[c] : centred ? 0 : 1;
        }
    }

    /** Subtracts the mean and divides by the deviation; the result is dense. */
    public static Standardizer centred(Moments moments) {
        return of(moments, true);
    }

    /** Divides by the deviation only: zeros stay zeros and the layout stays as it is. */
    public static Standardizer scaled(Moments moments) {
        return of(moments, false);
    }

    private static Standardizer of(Moments moments, boolean centred) {
        int features = moments.features();
        double[] means = new double[features];
        double[] deviations = new double[features];
        for (int c = 0; c < features; c++) {
            means[c] = centred ? moments.mean(c) : 0;
            deviations[c] = moments.deviation(c);
        }
        return new Standardizer(centred, false, means, deviations, 0, 1).rememberingTarget(moments);
    }

    private Standardizer rememberingTarget(Moments moments) {
        double deviation = moments.targetDeviation();
        return new Standardizer(
                centred, target, means, deviations, moments.targetMean(), deviation > 0 ? deviation : 1);
    }

    /** The same, and the target is brought to mean 0 and deviation 1 too; one that is constant becomes 0. */
    public Standardizer withTarget() {
        return new Standardizer(centred, true, means, deviations, targetMean, targetDeviation);
    }

    /**
     * The rows, standardised.
     *
     * @throws InvalidInputException if they have another number of features
     */
    public Dataset apply(Dataset rows) {
        if (rows.features() != means.length) {
            throw new InvalidInputException(
                    rows.features() + " features; standardisation was measured on " + means.length);
        }
        Dataset result = centred ? centre(rows) : scale(rows);
        if (target) {
            double[] labels = new double[rows.rows()];
            for (int i = 0; i < labels.length; i++) {
                labels[i] = (rows.label(i) - targetMean) / targetDeviation;
            }
            result = result.withLabels(labels);
        }
        return rows.isWeighted() ? result.withWeights(weights(rows)) : result;
    }

    private Dataset centre(Dataset rows) {
        int features = means.length;
        if ((long) features * rows.rows() > Integer.MAX_VALUE - 8) {
            throw new InvalidInputException(rows.rows() + " rows of " + features
                    + " features are too many to centre, which makes them dense; only scale them");
        }
        float[] zero = new float[features];
        for (int c = 0; c < features; c++) {
            zero[c] = standardised(0, c);
        }
        float[] values = new float[features * rows.rows()];
        for (int i = 0; i < rows.rows(); i++) {
            int base = i * features;
            System.arraycopy(zero, 0, values, base, features);
            int start = rows.start(i);
            for (int k = start; k < rows.end(i); k++) {
                int c = rows.isDense() ? k - start : rows.columns()[k];
                values[base + c] = standardised(rows.values()[k], c);
            }
        }
        return Dataset.dense(features, values, rows.labels());
    }

    private float standardised(float value, int column) {
        double deviation = deviations[column];
        return deviation > 0 ? (float) ((value - means[column]) / deviation) : 0f;
    }

    private Dataset scale(Dataset rows) {
        float[] values = new float[(int) rows.storedValues()];
        int[] offsets = new int[rows.rows() + 1];
        for (int i = 0; i < rows.rows(); i++) {
            int start = rows.start(i);
            for (int k = start; k < rows.end(i); k++) {
                double deviation = deviations[rows.isDense() ? k - start : rows.columns()[k]];
                values[k] = deviation > 0 ? (float) (rows.values()[k] / deviation) : rows.values()[k];
            }
            offsets[i + 1] = rows.end(i);
        }
        return rows.isDense()
                ? Dataset.dense(rows.features(), values, rows.labels())
                : Dataset.sparse(rows.features(), offsets, rows.columns(), values, rows.labels());
    }

    private static double[] weights(Dataset rows) {
        double[] weights = new double[rows.rows()];
        Arrays.setAll(weights, rows::weight);
        return weights;
    }

    /**
     * A model that says about raw rows what the given one says about standardised rows, in units of the raw target if
     * that was standardised.
     */
    public RawModel toRaw(double[] weights, double intercept) {
        if (weights.length != means.length) {
            throw new InvalidInputException(
                    weights.length + " weights; standardisation was measured on " + means.length);
        }
        double unit = target ? targetDeviation : 1;
        double[] raw = new double[weights.length];
        double shift = 0;
        for (int c = 0; c < raw.length; c++) {
            double weight = weights[c] * factors[c];
            raw[c] = unit * weight;
            shift += weight * means[c];
        }
        return new RawModel(raw, (target ? targetMean : 0) + unit * (intercept - shift));
    }

    /** Weights and intercept on raw features. */
    public static final class RawModel {
        private final double[] weights;
        private final double intercept;

        private RawModel(double[] weights, double intercept) {
            this.weights = weights;
            this.intercept = intercept;
        }

        /** One weight per raw feature; a copy. */
        public double[] weights() {
            return weights.clone();
        }

        /** What is predicted for a row of zeros. */
        public double intercept() {
            return intercept;
        }
    }

    /**
     * How many rows, and the sum, sum of squares, smallest and largest of every feature and of the target: of one
     * place's rows or, merged, of several. Merging in the same order gives the same bits. Weights of rows do not count.
     *
     * <p>Sums are kept as two doubles each, so that the variance of a feature far from zero is not lost in
     * cancellation.
     */
    public static final class Moments {

        private static final int SUM = 0;
        private static final int SUM_REST = 1;
        private static final int SQUARES = 2;
        private static final int SQUARES_REST = 3;
        private static final int LEAST = 4;
        private static final int LARGEST = 5;
        /** How many rows hold something other than zero; all others count as zero. */
        private static final int PRESENT = 6;

        private static final int WIDTH = 7;
        /** The number of rows comes first, then the target, then the features. */
        private static final int TARGET = 1;

        private final double[] numbers;

        private Moments(double[] numbers) {
            this.numbers = numbers;
        }

        private static Moments empty(int features) {
            double[] numbers = new double[TARGET + WIDTH * (features + 1)];
            for (int at = TARGET; at < numbers.length; at += WIDTH) {
                numbers[at + LEAST] = Double.POSITIVE_INFINITY;
                numbers[at + LARGEST] = Double.NEGATIVE_INFINITY;
            }
            return new Moments(numbers);
        }

        /** Those of a dataset; the same bits whatever its layout. */
        public static Moments of(Dataset rows) {
            return of(rows, 0, 1);
        }

        /** Those of the rows first, first + stride, first + 2·stride, … of a dataset. */
        public static Moments of(Dataset rows, int first, int stride) {
            Moments moments = empty(rows.features());
            float[] values = rows.values();
            int[] columns = rows.columns();
            boolean dense = rows.isDense();
            int count = 0;
            for (int i = first; i < rows.rows(); i += stride) {
                count++;
                moments.add(TARGET, rows.label(i));
                int start = rows.start(i);
                int end = rows.end(i);
                for (int k = start; k < end; k++) {
                    moments.add(at(dense ? k - start : columns[k]), values[k]);
                }
            }
            moments.numbers[0] = count;
            return moments;
        }

        /** Those of both sets of rows; the narrower one counts as zero where the other has more features. */
        public Moments merge(Moments other) {
            if (other.features() > features()) {
                return widened(other.features()).merge(other);
            }
            double[] merged = numbers.clone();
            Moments result = new Moments(merged);
            merged[0] += other.numbers[0];
            for (int at = TARGET; at < other.numbers.length; at += WIDTH) {
                result.addTo(at + SUM, other.numbers[at + SUM], other.numbers[at + SUM_REST]);
                result.addTo(at + SQUARES, other.numbers[at + SQUARES], other.numbers[at + SQUARES_REST]);
                merged[at + LEAST] = Math.min(merged[at + LEAST], other.numbers[at + LEAST]);
                merged[at + LARGEST] = Math.max(merged[at + LARGEST], other.numbers[at + LARGEST]);
                merged[at + PRESENT] += other.numbers[at + PRESENT];
            }
            return result;
        }

        private Moments widened(int features) {
            Moments wide = empty(features);
            System.arraycopy(numbers, 0, wide.numbers, 0, numbers.length);
            return wide;
        }

        /** How many numbers the moments of this many features are. */
        public static int length(int features) {
            return TARGET + WIDTH * (features + 1);
        }

        /** Everything as numbers, to be sent elsewhere; a copy. */
        public double[] toArray() {
            return numbers.clone();
        }

        /** What {@link #toArray} gave. */
        public static Moments fromArray(double[] numbers) {
            if (numbers.length < TARGET + WIDTH || (numbers.length - TARGET) % WIDTH != 0) {
                throw new InvalidInputException(numbers.length + " numbers; moments are 8 and 7 more per feature");
            }
            return new Moments(numbers.clone());
        }

        /** Number of rows. */
        public long rows() {
            return (long) numbers[0];
        }

        /** Number of features. */
        public int features() {
            return (numbers.length - TARGET) / WIDTH - 1;
        }

        /** Mean of a feature. */
        public double mean(int feature) {
            return meanAt(at(feature));
        }

        /** Population standard deviation of a feature; exactly 0 if it is constant, and only then. */
        public double deviation(int feature) {
            return deviationAt(at(feature));
        }

        /** Mean of the target. */
        public double targetMean() {
            return meanAt(TARGET);
        }

        /** Population standard deviation of the target; exactly 0 if it is constant, and only then. */
        public double targetDeviation() {
            return deviationAt(TARGET);
        }

        private static int at(int feature) {
            return TARGET + WIDTH * (feature + 1);
        }

        private double meanAt(int at) {
            return (numbers[at + SUM] + numbers[at + SUM_REST]) / numbers[0];
        }

        /**
         * n²·variance = n·Σx² − (Σx)², each product with its rounding error so that the difference keeps its digits.
         */
        private double deviationAt(int at) {
            double n = numbers[0];
            double least = numbers[at + PRESENT] < n ? Math.min(0, numbers[at + LEAST]) : numbers[at + LEAST];
            double largest = numbers[at + PRESENT] < n ? Math.max(0, numbers[at + LARGEST]) : numbers[at + LARGEST];
            if (!(least < largest)) {
                return 0;
            }
            double sum = numbers[at + SUM];
            double squares = numbers[at + SQUARES];
            double all = n * squares;
            double allRest = Math.fma(n, squares, -all) + n * numbers[at + SQUARES_REST];
            double square = sum * sum;
            double squareRest = Math.fma(sum, sum, -square) + 2 * sum * numbers[at + SUM_REST];
            double scaled = (all - square) + (allRest - squareRest);
            return scaled > 0 ? Math.sqrt(scaled) / n : (largest - least) / n;
        }

        private void add(int at, double value) {
            if (value == 0) {
                return;
            }
            double square = value * value;
            addTo(at + SUM, value, 0);
            addTo(at + SQUARES, square, Math.fma(value, value, -square));
            numbers[at + LEAST] = Math.min(numbers[at + LEAST], value);
            numbers[at + LARGEST] = Math.max(numbers[at + LARGEST], value);
            numbers[at + PRESENT]++;
        }

        /** Adds to a sum kept as two doubles (Knuth's two-sum, then renormalised). */
        private void addTo(int at, double value, double rest) {
            double high = numbers[at];
            double sum = high + value;
            double back = sum - high;
            double error = (high - (sum - back)) + (value - back);
            double low = error + (numbers[at + 1] + rest);
            double renormalised = sum + low;
            numbers[at] = renormalised;
            numbers[at + 1] = low - (renormalised - sum);
        }
    }
}
