package dev.starling.job;

import dev.starling.certificate.Certificate;
import dev.starling.cores.Blocks;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Scaling;
import dev.starling.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The units in which a problem is solved: powers of two by which the weights of rows, the target and the columns are
 * multiplied before anything is summed, so that sums, which are rounded at a fixed place, keep their digits whatever
 * the units of the data. That is exact, and so is the way back. Ordinary data are solved as they are.
 *
 * <p>It is longer than most: the way there and the way back have to be read side by side.
 */
public final class Units {

    /** Solves problems as they are. */
    public static final Units NONE = new Units(0, 0, new int[0], 0, 0, 0, 0);

    /** Numbers from 2^LOWEST up to below 2^(HIGHEST + 1) are ordinary: sums of their squares keep their digits. */
    private static final int LOWEST = -20;

    private static final int HIGHEST = 24;

    /** Squares of what is left of targets that are met need more digits. */
    private static final int LOWEST_TARGET = -6;

    /** The exponent of the largest of no numbers. */
    private static final int NOTHING = -5000;

    /** Beyond these exponents, what is computed from numbers could not be told apart from 0 or be too large. */
    private static final int FARTHEST_TARGET = 120;

    private static final int FARTHEST_COLUMN = 145;

    /** Rows that weigh less than this part of others leave no trace in sums of squares. */
    private static final double FARTHEST_WEIGHT = 0x1p-30;

    private final int weights;
    private final int target;
    private final int[] columns;
    private final int constant;

    /* By how much the objective, λ and λ₁ of the problem that is solved exceed those of the problem that was asked. */
    private final int objective;
    private final int lambda;
    private final int l1;

    private Units(int weights, int target, int[] columns, int constant, int objective, int lambda, int l1) {
        this.weights = weights;
        this.target = target;
        this.columns = columns;
        this.constant = constant;
        this.objective = objective;
        this.lambda = lambda;
        this.l1 = l1;
    }

    /**
     * How large the numbers of some rows are: the exponents of the largest ones, 0 if these are ordinary. Nothing else
     * is told about ordinary rows.
     *
     * @param weight the exponent of the largest weight
     * @param target that of the largest target or offset
     * @param largest that of the largest value of any column
     * @param smallest the smallest of the exponents of all columns that matter one by one
     */
    public record Sizes(int weight, int target, int largest, int smallest) {

        /** How many numbers these are. */
        public static final int COUNT = 4;

        /** The sizes of rows. */
        public static Sizes of(Dataset all, Settings settings) {
            Dataset rows = settings.classWeights().apply(all);
            double constant = settings.intercept() || isFreeOfUnits(settings) ? 0 : settings.constantFeature();
            double heaviest = rows.isWeighted() ? largest(rows, rows::weight) : Math.min(1, rows.rows());
            double target = largest(rows, row -> Math.max(Math.abs(rows.label(row)), Math.abs(rows.offset(row))));
            if (isUnpenalised(settings)) {
                requireClose(rows, heaviest);
            }
            int smallest = isFreeOfUnits(settings)
                    ? Arrays.stream(ofColumns(all, all.features()))
                            .mapToInt(exponent -> exponent == NOTHING ? 0 : (int) exponent)
                            .min()
                            .orElse(0)
                    : 0;
            boolean scalable = settings.loss().degree() > 0;
            return new Sizes(
                    exponent(heaviest),
                    scalable ? exponent(target, LOWEST_TARGET) : 0,
                    exponent(Math.max(constant, rows.largest())),
                    smallest);
        }

        private static double largest(Dataset rows, IntToDoubleFunction ofRow) {
            double largest = 0;
            for (int row = 0; row < rows.rows(); row++) {
                largest = Math.max(largest, ofRow.applyAsDouble(row));
            }
            return largest;
        }

        private static void requireClose(Dataset rows, double heaviest) {
            for (int row = 0; rows.isWeighted() && row < rows.rows(); row++) {
                if (rows.weight(row) < FARTHEST_WEIGHT * heaviest) {
                    throw new InvalidInputException("weights from " + rows.weight(row) + " to " + heaviest
                            + " are too far apart to tell which columns depend on others without regularisation; give"
                            + " lambda a positive value, or leave out the lightest rows");
                }
            }
        }

        /** The exponents of the largest absolute values of columns. */
        public static double[] ofColumns(Dataset rows, int features) {
            LargestOfColumns largest = new LargestOfColumns(rows, new double[features]);
            double values = rows.storedValues() / Math.max(1.0, rows.rows());
            Blocks.sum(
                    rows.rows(),
                    Blocks.rows(values, values, features),
                    features,
                    largest,
                    () -> new LargestOfColumns(rows, new double[features]));
            return Arrays.stream(largest.largest).map(Sizes::exponent).toArray();
        }

        /** The sizes of these rows and others. */
        public Sizes and(Sizes other) {
            return new Sizes(
                    Math.max(weight, other.weight),
                    Math.max(target, other.target),
                    Math.max(largest, other.largest),
                    Math.min(smallest, other.smallest));
        }

        /** The sizes as numbers to send. */
        public double[] encode() {
            return new double[] {weight, target, largest, smallest};
        }

        /** What {@link #encode} gave. */
        public static Sizes decode(double[] numbers) {
            return new Sizes((int) numbers[0], (int) numbers[1], (int) numbers[2], (int) numbers[3]);
        }

        /**
         * Whether nodes have to agree on the sizes of all columns: every column needs a unit of its own, or one is to
         * be refused by name.
         */
        public boolean needColumns(Settings settings) {
            return isTooFar(largest, FARTHEST_COLUMN) || (isFreeOfUnits(settings) && (largest > 0 || smallest < 0));
        }

        private static int exponent(double number) {
            return exponent(number, LOWEST);
        }

        private static int exponent(double number, int lowest) {
            if (number == 0) {
                return NOTHING;
            }
            // Subnormal numbers have no exponent of their own.
            int exponent = number < Double.MIN_NORMAL ? Double.MIN_EXPONENT - 1 : Math.getExponent(number);
            return exponent >= lowest && exponent <= HIGHEST ? 0 : exponent;
        }
    }

    /** The largest absolute values of the columns of some rows. */
    private record LargestOfColumns(Dataset rows, double[] largest) implements Blocks.Part<LargestOfColumns> {

        @Override
        public void clear() {
            Arrays.fill(largest, 0);
        }

        @Override
        public void sum(int from, int to) {
            for (int row = from; row < to; row++) {
                for (int k = rows.start(row); k < rows.end(row); k++) {
                    int c = rows.column(row, k);
                    largest[c] = Math.max(largest[c], Math.abs(rows.value(row, k)));
                }
            }
        }

        @Override
        public void add(LargestOfColumns next) {
            Arrays.setAll(largest, c -> Math.max(largest[c], next.largest[c]));
        }
    }

    /**
     * Whether the optimum does not depend on the units of the columns, since they are scaled or nothing is penalised.
     */
    private static boolean isFreeOfUnits(Settings settings) {
        return settings.scales() || isUnpenalised(settings);
    }

    /** Whether nothing is penalised. */
    static boolean isUnpenalised(Settings settings) {
        return settings.lambda() == 0 && settings.l1() == 0 && !settings.path().isPresent();
    }

    /**
     * The units for rows of some sizes.
     *
     * @param ofColumns the exponents of all columns; empty if these share one unit
     * @param names what the columns are called; empty if they have numbers only
     * @throws InvalidInputException if numbers are so small or large that nothing could be proven about them
     */
    public static Units of(Sizes sizes, double[] ofColumns, int features, List<String> names, Settings settings) {
        requireNear(sizes.target(), FARTHEST_TARGET, "the target");
        for (int c = 0; c < ofColumns.length; c++) {
            requireNear(
                    (int) ofColumns[c],
                    FARTHEST_COLUMN,
                    c < names.size() ? "column '" + names.get(c) + "'" : "feature " + (c + 1));
        }
        // The constant feature that a bias is has no name.
        requireNear(sizes.largest(), FARTHEST_COLUMN, "the bias");
        int target = sizes.target() == NOTHING ? 0 : -sizes.target();
        int[] columns = new int[features];
        if (ofColumns.length > 0) {
            Arrays.setAll(columns, c -> unit((int) ofColumns[c]));
        } else {
            // Columns that are penalised alike share one unit; the largest need not become smaller than ordinary.
            Arrays.fill(columns, unit(sizes.largest()) + (sizes.largest() > 0 ? HIGHEST : 0));
        }
        boolean scaledTarget = settings.scales()
                && settings.scaling() == Scaling.STANDARDIZE
                && settings.loss().domain().isScalable();
        int margin = scaledTarget ? 0 : target;
        int column = isFreeOfUnits(settings) || features == 0 ? 0 : columns[0];
        int objective = settings.loss().degree() * margin;
        return new Units(
                sizes.weight() == NOTHING ? 0 : -sizes.weight(),
                target,
                columns,
                settings.intercept() ? 0 : column,
                objective,
                objective - 2 * margin + 2 * column,
                objective - margin + column);
    }

    private static int unit(int exponent) {
        return exponent == NOTHING ? 0 : -exponent;
    }

    private static boolean isTooFar(int exponent, int farthest) {
        return exponent != NOTHING && Math.abs(exponent) > farthest;
    }

    private static void requireNear(int exponent, int farthest, String what) {
        if (isTooFar(exponent, farthest)) {
            throw new InvalidInputException("the largest number of " + what + " is about 1e"
                    + Math.round(exponent * StrictMath.log10(2)) + ", too " + (exponent > 0 ? "large" : "small")
                    + " for anything to be proven; give it in another unit");
        }
    }

    /** Whether problems are solved as they are. */
    public boolean areOrdinary() {
        return weights == 0 && target == 0 && Arrays.stream(columns).allMatch(column -> column == 0);
    }

    /** The rows in these units. */
    public Dataset apply(Dataset rows) {
        if (areOrdinary()) {
            return rows;
        }
        Dataset result = rows.changed((c, value) -> scaled(value, columns[c], "value of feature " + (c + 1)));
        if (target != 0) {
            result = result.withLabels(scaled(rows.labels(), target, "label"));
            if (rows.hasOffsets()) {
                double[] offsets = new double[rows.rows()];
                Arrays.setAll(offsets, rows::offset);
                result = result.withOffsets(scaled(offsets, target, "offset"));
            }
        }
        return weights == 0 ? result : result.withWeights(weights(rows));
    }

    private double[] weights(Dataset rows) {
        double[] own = new double[rows.rows()];
        Arrays.setAll(own, rows::weight);
        return scaled(own, weights, "weight");
    }

    private static double[] scaled(double[] numbers, int exponent, String what) {
        return Arrays.stream(numbers)
                .map(number -> scaled(number, exponent, what))
                .toArray();
    }

    private static double scaled(double number, int exponent, String what) {
        double result = Math.scalb(number, exponent);
        if (Math.scalb(result, -exponent) != number) {
            throw new InvalidInputException("a " + what + " is " + number
                    + ", so far from the largest one that no unit suits both; leave out what is negligible");
        }
        return result;
    }

    /** A total of weights in these units. */
    public double weight(double total) {
        return Math.scalb(total, weights);
    }

    /** A total of weights as it was before. */
    public double rawWeight(double total) {
        return Math.scalb(total, -weights);
    }

    /** The value of the intercept's feature. */
    public float constant(Settings settings) {
        return Math.scalb(settings.constantFeature(), constant);
    }

    /** A loss for margins and targets in these units. */
    public Loss loss(Loss loss) {
        return objective == 0 ? loss : loss.inUnits(Math.scalb(1.0, objective / loss.degree()));
    }

    /** The penalties in these units. */
    public LambdaPath.Point penalties(LambdaPath.Point asked) {
        return new LambdaPath.Point(penalty(asked.lambda(), lambda), penalty(asked.l1(), l1));
    }

    private static double penalty(double asked, int exponent) {
        double result = Math.scalb(asked, exponent);
        if (Math.scalb(result, -exponent) != asked) {
            throw new InvalidInputException("a penalty of " + asked + " is "
                    + (exponent > 0 ? "too large" : "too small") + " for the units of the columns and the target");
        }
        return result;
    }

    /** The slope of the mean loss along a weight as it was before. */
    public double rawSlope(double slope) {
        return Math.scalb(slope, -l1);
    }

    /** The certificate of a problem as it was before. */
    public Certificate raw(Certificate certificate) {
        return objective == 0 ? certificate : certificate.times(Math.scalb(1.0, -objective));
    }

    /** A mean loss as it was before is that in these units times this. */
    public double rawLoss() {
        return Math.scalb(1.0, -objective);
    }

    /** A margin or a target as it was before is that in these units times this. */
    public double rawTarget() {
        return Math.scalb(1.0, -target);
    }

    /** Numbers in the units of the columns, such as deviations, as they were before. */
    public List<Double> rawColumns(List<Double> own) {
        return IntStream.range(0, own.size())
                .mapToObj(c -> c < columns.length ? Math.scalb(own.get(c), -columns[c]) : own.get(c))
                .toList();
    }

    /** Weights as they were before. */
    public double[] raw(double[] own) {
        return converted(own, 1);
    }

    /** The inverse of {@link #raw(double[])}. */
    public double[] fromRaw(double[] raw) {
        return converted(raw, -1);
    }

    private double[] converted(double[] numbers, int sign) {
        double[] result = numbers.clone();
        for (int c = 0; c < columns.length; c++) {
            result[c] = Math.scalb(numbers[c], sign * (columns[c] - target));
        }
        return result;
    }
}
