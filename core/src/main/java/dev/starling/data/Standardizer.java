package dev.starling.data;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Scales features, and in regression the target, to mean 0 and population standard deviation 1, and converts models
 * fitted to such rows back to raw ones. Immutable.
 *
 * <pre>{@code
 * Standardizer standardizer = Standardizer.centred(Moments.of(rows)).withTarget();
 * Dataset standardised = standardizer.apply(rows);
 * }</pre>
 *
 * <p>Constant features become 0 when centred. When rows are only scaled, so that sparse ones stay sparse, constant
 * features stay as they are.
 *
 * <p>Beside a free intercept, features far from zero, such as dates written as numbers, can be
 * {@linkplain #withFarFeaturesMoved moved} close to it, which changes nothing but the intercept: a product of a Unix
 * time with its weight has few digits left for what the feature tells.
 */
public final class Standardizer {

    /** A feature whose mean is more than this many deviations from zero is far from it. */
    private static final double FAR = 1024;

    private final boolean centred;
    private final boolean target;
    private final double[] means;
    /** 1/deviation; for constant features 0 when centred, otherwise 1. */
    private final double[] factors;

    private final double[] deviations;

    /** How many deviations from 0 the means of scaled features still are; empty if no feature is scaled. */
    private final double[] distances;

    private final double targetMean;
    /** 0 if the target is constant. */
    private final double targetDeviation;

    private Standardizer(
            boolean centred,
            boolean target,
            double[] means,
            double[] deviations,
            double[] distances,
            double targetMean,
            double targetDeviation) {
        this.centred = centred;
        this.target = target;
        this.means = means;
        this.deviations = deviations;
        this.distances = distances;
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

    /** Changes nothing. */
    public static Standardizer identity(int features) {
        double[] ones = new double[features];
        Arrays.fill(ones, 1);
        return new Standardizer(false, false, new double[features], ones, new double[0], 0, 1);
    }

    /**
     * Returns a copy that also moves features far from zero by about their means, rounded to the size of their
     * deviations so that differences are exact; the others, and all features of centred rows, are treated as before.
     * Zeros of the features that are moved are stored afterwards, but hardly any of their values are zero.
     *
     * @param scalable whether features that are not scaled may be, as nothing is penalised: those that are moved then
     *     get the power of two as their unit that is next to their deviation, so that sums keep their digits
     */
    public Standardizer withFarFeaturesMoved(Moments moments, boolean scalable) {
        double[] origins = means.clone();
        double[] scales = deviations.clone();
        double[] left = distances.clone();
        for (int c = 0; c < origins.length && !centred; c++) {
            double deviation = moments.deviation(c);
            if (deviation > 0 && Math.abs(moments.mean(c)) > FAR * deviation) {
                double unit = Math.scalb(1.0, Math.getExponent(deviation));
                origins[c] = Math.rint(moments.mean(c) / unit) * unit;
                scales[c] = scalable && factors[c] == 1 ? unit : scales[c];
                if (left.length > 0) {
                    left[c] = Math.abs(moments.mean(c) - origins[c]) * factors[c];
                }
            }
        }
        return new Standardizer(centred, target, origins, scales, left, targetMean, targetDeviation)
                .rememberingTarget(moments);
    }

    /** Whether rows are left as they are. */
    public boolean isIdentity() {
        return !target
                && Arrays.stream(means).allMatch(mean -> mean == 0)
                && Arrays.stream(factors).allMatch(factor -> factor == 1);
    }

    private static Standardizer of(Moments moments, boolean centred) {
        int features = moments.features();
        double[] means = new double[features];
        double[] deviations = new double[features];
        double[] distances = new double[features];
        for (int c = 0; c < features; c++) {
            means[c] = centred ? moments.mean(c) : 0;
            deviations[c] = moments.deviation(c);
            distances[c] = centred || deviations[c] == 0 ? 0 : Math.abs(moments.mean(c)) / deviations[c];
        }
        return new Standardizer(centred, false, means, deviations, distances, 0, 1).rememberingTarget(moments);
    }

    private Standardizer rememberingTarget(Moments moments) {
        return new Standardizer(
                centred, target, means, deviations, distances, moments.targetMean(), moments.targetDeviation());
    }

    /** Returns a copy that also brings the target to mean 0 and deviation 1; a constant target becomes 0. */
    public Standardizer withTarget() {
        return new Standardizer(centred, true, means, deviations, distances, targetMean, targetDeviation);
    }

    /**
     * The rows, standardised.
     *
     * @throws InvalidInputException if they have a different number of features
     */
    public Dataset apply(Dataset rows) {
        if (rows.features() != means.length) {
            throw new InvalidInputException(
                    rows.features() + " features; standardisation was measured on " + means.length);
        }
        Dataset result = centred || rows.isDense() ? centre(rows) : scale(rows);
        if (target) {
            double unit = targetUnit();
            double[] labels = new double[rows.rows()];
            for (int i = 0; i < labels.length; i++) {
                labels[i] = (rows.label(i) - targetMean) / unit;
            }
            result = result.withLabels(labels);
        }
        if (rows.hasOffsets()) {
            double unit = targetUnit();
            double[] offsets = new double[rows.rows()];
            Arrays.setAll(offsets, row -> rows.offset(row) / unit);
            result = result.withOffsets(offsets);
        }
        return rows.isWeighted() ? result.withWeights(weights(rows)) : result;
    }

    private Dataset centre(Dataset rows) {
        int features = means.length;
        double[] zero = new double[features];
        for (int c = 0; c < features; c++) {
            zero[c] = standardised(0, c);
        }
        Dataset dense = Dataset.of(features, true, Parts.dense(rows.rows(), features, false), rows.labels());
        rows.overRows((from, to) -> {
            for (int i = from; i < to; i++) {
                int base = dense.start(i);
                Values values = dense.values(i);
                for (int c = 0; c < features && !rows.isDense(); c++) {
                    values.set(base + c, zero[c]);
                }
                for (int k = rows.start(i); k < rows.end(i); k++) {
                    int c = rows.column(i, k);
                    values.set(base + c, standardised(rows.value(i, k), c));
                }
            }
        });
        return dense;
    }

    private double standardised(double value, int column) {
        double deviation = deviations[column];
        return deviation > 0 ? (value - means[column]) / deviation : centred ? 0 : value;
    }

    /** Sparse rows, in which only the zeros of features that are moved have to be stored. */
    private Dataset scale(Dataset rows) {
        int[] moved =
                IntStream.range(0, means.length).filter(c -> means[c] != 0).toArray();
        int[] lengths = new int[rows.rows()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = moved.length;
            for (int k = rows.start(i); k < rows.end(i); k++) {
                lengths[i] += means[rows.column(i, k)] == 0 ? 1 : 0;
            }
        }
        Parts room = Parts.sparse(rows.rows(), i -> lengths[i], false);
        Dataset scaled = Dataset.of(rows.features(), false, room, rows.labels());
        for (int i = 0; i < lengths.length; i++) {
            int[] columns = scaled.columns(i);
            Values values = scaled.values(i);
            int at = scaled.start(i);
            int next = 0;
            for (int k = rows.start(i); k <= rows.end(i); k++) {
                int column = k < rows.end(i) ? rows.column(i, k) : means.length;
                for (; next < moved.length && moved[next] <= column; next++) {
                    if (moved[next] < column) {
                        columns[at] = moved[next];
                        values.set(at++, standardised(0, moved[next]));
                    }
                }
                if (k < rows.end(i)) {
                    columns[at] = column;
                    values.set(at++, standardised(rows.value(i, k), column));
                }
            }
        }
        return scaled;
    }

    private static double[] weights(Dataset rows) {
        double[] weights = new double[rows.rows()];
        Arrays.setAll(weights, rows::weight);
        return weights;
    }

    /**
     * Converts a model for standardised rows into one that predicts the same for raw rows, in units of the raw target
     * if that was standardised.
     */
    public RawModel toRaw(double[] weights, double intercept) {
        if (weights.length != means.length) {
            throw new InvalidInputException(
                    weights.length + " weights; standardisation was measured on " + means.length);
        }
        double unit = targetUnit();
        double[] raw = new double[weights.length];
        double shift = 0;
        double rest = 0;
        for (int c = 0; c < raw.length; c++) {
            double weight = weights[c] * factors[c];
            raw[c] = unit * weight;
            double product = weight * means[c];
            double sum = shift + product;
            double back = sum - shift;
            rest += Math.fma(weight, means[c], -product) + ((shift - (sum - back)) + (product - back));
            shift = sum;
        }
        return new RawModel(raw, (target ? targetMean : 0) + unit * ((intercept - shift) - rest));
    }

    /**
     * A bound on what rounding may have added to a margin when {@link #toRaw} moved the origins of features into the
     * intercept; 0 if no feature is far from zero. In exact arithmetic nothing is added.
     */
    public double movedBy(double[] weights, double intercept) {
        double shift = Math.abs(intercept);
        double scaled = 0;
        boolean moved = false;
        for (int c = 0; c < means.length; c++) {
            double size = Math.abs(weights[c] * factors[c] * means[c]);
            shift += size;
            scaled += isPowerOfTwo(factors[c]) ? 0 : size;
            moved |= centred ? size > 0 && Math.abs(means[c]) > FAR * deviations[c] : means[c] != 0;
        }
        return moved ? 0x1p-52 * (shift + 2 * scaled) : 0;
    }

    private static boolean isPowerOfTwo(double factor) {
        return Math.scalb(1.0, Math.getExponent(factor)) == factor;
    }

    /**
     * A bound on what rounding may have done to margins when rows were scaled and {@link #toRaw} made raw weights: the
     * root of its mean square, given that scaled features have deviation 1.
     */
    public double roundedBy(double[] weights, double intercept) {
        double size =
                Math.abs(intercept) + (target && targetDeviation > 0 ? 1 + Math.abs(targetMean / targetDeviation) : 0);
        for (int c = 0; c < distances.length; c++) {
            size += Math.abs(weights[c]) * (factors[c] > 0 ? 2 + Math.abs(means[c] * factors[c]) + distances[c] : 0);
        }
        return distances.length > 0 ? 0x1p-51 * size : 0;
    }

    /** The mean of the target, whether it was standardised or not. */
    public double targetMean() {
        return targetMean;
    }

    /** How many units of the raw target one unit of the standardised target is. */
    public double targetUnit() {
        return target && targetDeviation > 0 ? targetDeviation : 1;
    }

    /**
     * The inverse of {@link #toRaw}: weights on standardised rows, followed by the intercept, that predict what the
     * given ones predict on raw rows. A feature that centring turns into zeros gets weight 0.
     */
    public double[] fromRaw(double[] rawWeights, double rawIntercept) {
        if (rawWeights.length != means.length) {
            throw new InvalidInputException(
                    rawWeights.length + " weights; standardisation was measured on " + means.length);
        }
        double unit = targetUnit();
        double[] scaled = new double[rawWeights.length + 1];
        double shift = 0;
        for (int c = 0; c < rawWeights.length; c++) {
            double weight = unit == 0 ? 0 : rawWeights[c] / unit;
            scaled[c] = factors[c] == 0 ? 0 : weight / factors[c];
            shift += weight * means[c];
        }
        scaled[rawWeights.length] = (unit == 0 ? 0 : (rawIntercept - (target ? targetMean : 0)) / unit) + shift;
        return scaled;
    }

    /**
     * A model on raw features.
     *
     * @param weights one weight per raw feature
     * @param intercept what is predicted for a row of zeros
     */
    public record RawModel(double[] weights, double intercept) {}
}
