package dev.starling.objective;

import dev.starling.cores.Blocks;
import dev.starling.data.Dataset;
import dev.starling.loss.Elementary;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Loss;
import dev.starling.node.SumRequest;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.RefinedMargin;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One node's sums for the statistics of an estimate: the information, what dispersion and likelihood need, bounds on
 * how fast these change near the estimate, squared slopes for robust standard errors, and the model without features.
 *
 * <p>It is longer than most classes, because everything that shares this pass over the rows is added up in it.
 */
public final class InformationPass {

    /* Indices of the sums of a first pass; the expected information follows, then the observed one if it differs. */

    /** The number of rows with a positive weight. */
    public static final int ROWS = 0;

    /** The sum of the weights. */
    public static final int WEIGHT = 1;

    /** The sum of the losses: half the deviance. */
    public static final int LOSS = 2;

    /** Pearson's X². */
    public static final int PEARSON = 3;

    /** The constant part of the log-likelihood. */
    public static final int CONSTANT = 4;

    /** The weighted sum of the responses. */
    public static final int RESPONSES = 5;

    /** The number of rows with an offset other than 0. */
    public static final int OFFSETS = 6;

    /** The slope of the log-likelihood by the family's own parameter. */
    public static final int SHAPE_SLOPE = 7;

    /** What the rows tell about that parameter: minus the second derivative. */
    public static final int SHAPE_INFORMATION = 8;

    /** The index of the expected information. */
    public static final int INFORMATION = 9;

    /* Indices of the sums of a second pass; squared slopes times rows follow. */

    /** How fast the information changes with the distance, in the norms of both informations. */
    public static final int CHANGE_OF_INFORMATION = 0;

    /** How fast Pearson's X² does. */
    public static final int CHANGE_OF_PEARSON = 1;

    /** The square of how fast slopes do. */
    public static final int CHANGE_OF_SLOPES = 2;

    /** The square of how much robust standard errors depend on leverages. */
    public static final int SHARE_OF_LEVERAGES = 3;

    /** A bound on the rounding of Pearson's X² that comes from margins. */
    public static final int ROUNDING_OF_PEARSON = 4;

    /** How fast the slope by the family's own parameter changes. */
    public static final int CHANGE_OF_SHAPE = 5;

    /** The number of clusters. */
    public static final int CLUSTERS = 6;

    /** The sum of the eighth powers of what makes up for the leverage of clusters. */
    public static final int ADJUSTMENTS = 7;

    /** A bound on the rounding of the loss that comes from margins. */
    public static final int ROUNDING_OF_LOSS = 8;

    /** The index of the squared slopes times rows. */
    public static final int SQUARED_SLOPES = 9;

    /** How many numbers degrees of freedom take for each coefficient, besides a triangle. */
    public static final int DEGREES = 4;

    /* Indices of the sums for the model without features: the loss and its slope and curvature, then these. */

    /** A bound on the third derivative within {@link #RADIUS}. */
    public static final int NULL_THIRD = 3;

    /** A bound on what rounding did to the loss. */
    public static final int NULL_ROUNDING = 4;

    /** A bound on what it did to the slope. */
    public static final int NULL_ROUNDING_OF_SLOPE = 5;

    /** The number of these sums. */
    public static final int NULL_NUMBERS = 6;

    /**
     * How many units of rounding a loss or a slope is off by besides what comes from its margin, with room to spare.
     */
    public static final int OPERATIONS = 256;

    /** Bounds hold within this distance, in standard errors. */
    public static final double RADIUS = 0x1p-10;

    /** After so many rows, a part of the information is added to the rest without loss: so few roundings add up. */
    public static final int ADDED_AT_ONCE = 16 * Loss.BLOCK;

    /** More than anything that is proven, and small enough to be added up. */
    private static final double HUGE = 0x1p70;

    /** How many single numbers are added up with twice the digits. */
    private static final int EXACT = 4;

    private static final double SLIGHTLY_MORE = 1 + 0x1p-20;

    private final LocalProblem problem;
    private final Likelihood family;
    private final double[] theta;
    private final int features;
    private final int triangle;
    private final double weightUnit;
    private final double[] basis;

    /** The rows in the basis, in the order of the samples, once they are needed; those of the problem without one. */
    private Dataset rows;

    /**
     * Creates the pass.
     *
     * @param theta the estimate
     * @param weightUnit what weights have to be multiplied by to be those of the data
     * @param basis a lower triangular matrix X, d × d row by row: matrices are sums over the rows Xx, and margins have
     *     twice the digits; empty for the rows as they are
     */
    public InformationPass(
            LocalProblem problem, Likelihood family, double[] theta, double weightUnit, double... basis) {
        this.weightUnit = weightUnit;
        this.problem = problem;
        this.family = family;
        this.theta = theta;
        this.features = theta.length;
        this.basis = basis;
        this.triangle = features * (features + 1) / 2;
    }

    /** The number of sums of the first pass. */
    public static int numbers(Likelihood family, int features) {
        return INFORMATION + features * (features + 1) / 2 * (family.isCanonical() ? 1 : 2);
    }

    /** The number of sums of the second pass. */
    public static int boundNumbers(int features, boolean robust, boolean degrees) {
        int triangle = features * (features + 1) / 2;
        return SQUARED_SLOPES + (robust ? triangle : 0) + (degrees ? features * (DEGREES + triangle) : 0);
    }

    /** The rows that matrices are sums over. */
    private Dataset rows() {
        if (rows == null) {
            rows = basis.length == 0 ? problem.data() : inBasis();
        }
        return rows;
    }

    /** The images Xx of all rows, with twice the digits until they are rounded. */
    private Dataset inBasis() {
        Dataset data = problem.data();
        double[] images = new double[problem.samples() * features];
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            for (int b = 0; b < features; b++) {
                CompensatedSum sum = new CompensatedSum();
                for (int at = data.start(row); at < data.end(row) && data.column(row, at) <= b; at++) {
                    double entry = basis[b * features + data.column(row, at)];
                    double product = data.value(row, at) * entry;
                    sum.add(product);
                    sum.add(Math.fma(data.value(row, at), entry, -product));
                }
                images[j * features + b] = sum.value();
            }
        }
        return Dataset.dense(features, images, new double[problem.samples()]);
    }

    /** Where those rows have a sample. */
    private int place(int sample) {
        return basis.length == 0 ? problem.row(sample) : sample;
    }

    private double margin(int sample) {
        return basis.length == 0
                ? problem.margin(sample, theta)
                : RefinedMargin.of(problem.data(), problem.row(sample), theta).value();
    }

    /** A bound on the rounding of a margin and of comparing it with a label. */
    private double roundingOfMargin(int sample) {
        int row = problem.row(sample);
        return basis.length == 0
                ? Rounding.ofMargin(problem, row, theta)
                : RefinedMargin.of(problem.data(), row, theta).distance()
                        + 4 * Rounding.UNIT * family.labelSize(problem.label(sample));
    }

    /** How much each row counts in the sums of the first pass. */
    public SumRequest.Shares shares() {
        double[] expected = new double[problem.samples()];
        double[] observed = new double[problem.samples()];
        for (int j = 0; j < expected.length; j++) {
            double margin = problem.margin(j, theta);
            expected[j] = problem.weight(j) * family.information(margin);
            observed[j] = problem.weight(j) * Math.abs(family.curvature(margin, problem.label(j)));
        }
        return family.isCanonical()
                ? SumRequest.Shares.ofCurvatures(expected)
                : SumRequest.Shares.ofCurvatures(expected, observed);
    }

    /** Returns the sums of the first pass. */
    public double[] information() {
        double values = problem.valuesPerRow();
        Sums total = total(4 * values + values * values / 2, new double[numbers(family, features)], () -> {
            FirstPass own = new FirstPass();
            return own::add;
        });
        double[] sums = total.sums;
        for (int k = INFORMATION; k < sums.length; k++) {
            sums[k] += total.lost[k];
        }
        sums[LOSS] = total.exact[0].value();
        sums[PEARSON] = summable(total.exact[1].value());
        sums[CONSTANT] = total.exact[2].value();
        sums[RESPONSES] = total.exact[3].value();
        return sums;
    }

    /** Adds the sums of the first pass over some rows. */
    private final class FirstPass {
        private final OuterProducts outer = new OuterProducts(rows());
        private final double[] part = new double[numbers(family, features)];
        private final int[] places = new int[Loss.BLOCK];
        private final double[] expected = new double[Loss.BLOCK];
        private final double[] observed = new double[Loss.BLOCK];

        void add(Sums total, int first, int end) {
            for (int from = first; from < end; from += Loss.BLOCK) {
                int count = Math.min(Loss.BLOCK, end - from);
                for (int k = 0; k < count; k++) {
                    addRow(total, from + k, k);
                }
                outer.add(count, places, expected, part, INFORMATION);
                if (!family.isCanonical()) {
                    outer.addSigned(count, places, observed, part, INFORMATION + triangle);
                }
                if ((from + Loss.BLOCK) % ADDED_AT_ONCE == 0 || from + count == end) {
                    flush(part, total.sums, total.lost);
                }
            }
        }

        private void addRow(Sums total, int j, int k) {
            places[k] = place(j);
            double label = problem.label(j);
            double weight = problem.weight(j);
            double margin = margin(j);
            double response = family.response(label);
            double mean = family.link().mean(margin);
            double residual = response - mean;
            total.sums[ROWS] += weight > 0 ? 1 : 0;
            total.sums[WEIGHT] += weight;
            total.sums[OFFSETS] += problem.data().offset(problem.row(j)) == 0 ? 0 : 1;
            total.exact[0].add(weight * family.value(margin, label));
            total.exact[1].add(residual == 0 ? 0 : weight * residual * residual / family.variance(mean));
            total.exact[2].add(weight > 0 ? family.constant(label, weightUnit * weight) : 0);
            total.exact[3].add(weight * response);
            total.sums[SHAPE_SLOPE] += weight * family.shapeSlope(margin, label);
            total.sums[SHAPE_INFORMATION] += weight * family.shapeInformation(margin, label);
            expected[k] = weight * family.information(margin);
            observed[k] = family.isCanonical() ? 0 : weight * family.curvature(margin, label);
        }
    }

    /** Adds some rows to sums. */
    @FunctionalInterface
    private interface Visit {
        void add(Sums total, int from, int to);
    }

    /**
     * Adds up all rows.
     *
     * @param work how many operations a row takes
     * @param sums where to
     * @param visits makes what adds rows, for one thread at a time
     */
    private Sums total(double work, double[] sums, Supplier<Visit> visits) {
        Sums total = new Sums(sums, visits.get());
        Blocks.sum(
                problem.samples(),
                Blocks.rows(problem.valuesPerRow(), work, sums.length),
                3 * sums.length,
                total,
                () -> new Sums(new double[sums.length], visits.get()));
        return total;
    }

    /** Sums over a block of rows, or over several, what rounding has lost of some, and others of single numbers. */
    private static final class Sums implements Blocks.Part<Sums> {
        private final double[] sums;
        private final double[] lost;
        private final CompensatedSum[] exact = new CompensatedSum[EXACT];
        private final Visit visit;

        Sums(double[] sums, Visit visit) {
            this.sums = sums;
            this.lost = new double[sums.length];
            this.visit = visit;
            Arrays.setAll(exact, k -> new CompensatedSum());
        }

        @Override
        public void clear() {
            Arrays.fill(sums, 0);
            Arrays.fill(lost, 0);
            Arrays.setAll(exact, k -> new CompensatedSum());
        }

        @Override
        public void sum(int from, int to) {
            visit.add(this, from, to);
        }

        @Override
        public void add(Sums next) {
            flush(next.sums, sums, lost);
            for (int k = 0; k < lost.length; k++) {
                lost[k] += next.lost[k];
            }
            for (int k = 0; k < EXACT; k++) {
                exact[k].add(next.exact[k]);
            }
        }
    }

    /** Adds a part of some sums to the rest, keeps what rounding loses, and clears it. */
    private static void flush(double[] part, double[] sums, double[] lost) {
        for (int k = 0; k < sums.length; k++) {
            double sum = sums[k] + part[k];
            double back = sum - sums[k];
            lost[k] += (sums[k] - (sum - back)) + (part[k] - back);
            sums[k] = sum;
            part[k] = 0;
        }
    }

    /**
     * Returns the sums of the second pass, without clusters.
     *
     * @param observed a factor X with XᵀX the inverse of the observed information, row by row
     * @param expected the same for the expected information
     * @param squares whether squared slopes are asked for, row by row
     * @param power the power of 1 − h that they are divided by
     * @param sums receives the sums
     */
    public void addRows(double[] observed, double[] expected, boolean squares, int power, double[] sums) {
        Dataset images = rows();
        RowLengths first = new RowLengths(images, observed, features, power > 0);
        RowLengths second = expected == observed ? first : new RowLengths(images, expected, features, power > 0);
        double values = problem.valuesPerRow();
        total(4 * values + values * values / 2, sums, () -> {
            RowLengths lengths = first.another();
            RowLengths others = expected == observed ? lengths : second.another();
            OuterProducts outer = new OuterProducts(images);
            return (total, from, to) -> addRows(lengths, others, outer, squares, power, from, to, total.sums);
        });
        for (int k = 0; k < CLUSTERS; k++) {
            sums[k] = summable(sums[k]);
        }
    }

    private void addRows(
            RowLengths lengths,
            RowLengths others,
            OuterProducts outer,
            boolean squares,
            int power,
            int from,
            int to,
            double[] sums) {
        int[] places = new int[1];
        double[] square = new double[1];
        for (int j = from; j < to; j++) {
            double margin = margin(j);
            double weight = problem.weight(j);
            double label = problem.label(j);
            places[0] = place(j);
            double ofObserved = lengths.of(places[0]);
            double ofExpected = others == lengths ? ofObserved : others.of(places[0]);
            double radius = ofObserved * RADIUS;
            double change = family.informationChange(margin, radius);
            double information = weight * family.information(margin);
            sums[CHANGE_OF_INFORMATION] += SLIGHTLY_MORE
                    * ofObserved
                    * ofExpected
                    * ofExpected
                    * change
                    * information
                    * Elementary.exp(change * radius);
            double pearsonSlope = SLIGHTLY_MORE * weight * pearsonSlope(margin, label, radius);
            sums[CHANGE_OF_PEARSON] += ofObserved * pearsonSlope;
            double ofMargin = SLIGHTLY_MORE * roundingOfMargin(j);
            sums[ROUNDING_OF_PEARSON] += ofMargin * pearsonSlope;
            sums[ROUNDING_OF_LOSS] += weight * ofMargin * Math.abs(family.derivative(margin, label));
            sums[CHANGE_OF_SHAPE] += SLIGHTLY_MORE * weight * ofObserved * family.shapeChange(margin, label, radius);
            double leverage = Math.min(1 - 0x1p-40, information * ofExpected * ofExpected);
            double factor = power == 0 ? 1 : power == 1 ? 1 / Math.sqrt(1 - leverage) : 1 / (1 - leverage);
            double slope = weight * Math.abs(family.derivative(margin, label)) * factor;
            double bend = weight
                    * (Math.abs(family.curvature(margin, label)) + radius * family.thirdWithin(margin, label, radius));
            double share = power * leverage / (1 - leverage) * slope * ofExpected;
            double faster = ofObserved * (bend * factor * ofExpected + change * share);
            sums[CHANGE_OF_SLOPES] += SLIGHTLY_MORE * faster * faster;
            sums[SHARE_OF_LEVERAGES] += SLIGHTLY_MORE * share * share;
            if (squares) {
                square[0] = slope * slope;
                outer.add(1, places, square, sums, SQUARED_SLOPES);
            }
        }
    }

    /** A bound that is infinite because a mean is at the end of its range is as good as none. */
    private static double summable(double sum) {
        return sum < HUGE ? sum : HUGE;
    }

    /** A bound on the slope of (y − μ)²/V(μ) within a radius of a margin. */
    private double pearsonSlope(double margin, double label, double radius) {
        double low = family.link().mean(margin - radius);
        double high = family.link().mean(margin + radius);
        double response = family.response(label);
        double residual = Math.max(Math.abs(response - low), Math.abs(response - high));
        double variance = Math.min(family.variance(low), family.variance(high));
        double slope = Math.max(Math.abs(family.varianceSlope(low)), Math.abs(family.varianceSlope(high)));
        // With v the expected curvature, dμ/dη = √(vV).
        double change = family.informationChange(margin, radius);
        double steepest = Math.sqrt(family.information(margin)
                * Elementary.exp(change * radius)
                * Math.max(family.variance(low), family.variance(high)));
        return residual == 0 ? 0 : steepest * residual / variance * (2 + residual * slope / variance);
    }

    /**
     * Adds the sums for clusters in the place of those for rows: slopes times rows are added up by cluster before they
     * are squared. All rows of a cluster must be this node's.
     *
     * @param keys the cluster of each row
     * @param adjusting what makes up for the leverage of clusters, if that is asked for
     * @param sums the sums of the second pass
     */
    public void addClusters(
            double[] observed, double[] expected, long[] keys, Optional<ClusterLeverages> adjusting, double[] sums) {
        OuterProducts outer = new OuterProducts(rows());
        RowLengths lengths = new RowLengths(rows(), observed, features, true);
        RowLengths others = new RowLengths(rows(), expected, features, true);
        Map<Long, Cluster> clusters = new LinkedHashMap<>();
        for (int j = 0; j < problem.samples(); j++) {
            int place = place(j);
            Cluster cluster = clusters.computeIfAbsent(
                    keys[problem.row(j)],
                    any -> new Cluster(
                            new double[features], new double[1], new double[adjusting.isPresent() ? triangle : 0]));
            double margin = margin(j);
            double label = problem.label(j);
            double weight = problem.weight(j);
            rows().addTo(place, weight * family.derivative(margin, label), cluster.slopes, 0);
            if (adjusting.isPresent()) {
                outer.add(
                        1,
                        new int[] {place},
                        new double[] {weight * family.information(margin)},
                        cluster.information,
                        0);
            }
            double ofObserved = lengths.of(place);
            double radius = ofObserved * RADIUS;
            double bend =
                    Math.abs(family.curvature(margin, label)) + radius * family.thirdWithin(margin, label, radius);
            cluster.change[0] += SLIGHTLY_MORE * weight * bend * ofObserved * others.of(place);
        }
        sums[CHANGE_OF_SLOPES] = 0;
        for (Cluster cluster : clusters.values()) {
            sums[CLUSTERS]++;
            double change = cluster.change[0];
            if (adjusting.isPresent()) {
                // A changes by at most ½‖A‖³ times the change of S, which is at most twice that of the information.
                double[] norms = adjusting.get().add(cluster.slopes, cluster.information, sums, SQUARED_SLOPES);
                double share = norms[0] * norms[0] * norms[0] * norms[1];
                sums[SHARE_OF_LEVERAGES] += SLIGHTLY_MORE * share * share;
                double fourth = norms[0] * norms[0] * norms[0] * norms[0];
                sums[ADJUSTMENTS] = summable(sums[ADJUSTMENTS] + SLIGHTLY_MORE * fourth * fourth);
                sums[CHANGE_OF_SLOPES] += change * change * norms[0] * norms[0];
            } else {
                sums[CHANGE_OF_SLOPES] += change * change;
                ClusterLeverages.addSquare(cluster.slopes, sums, SQUARED_SLOPES);
            }
        }
    }

    /** The sum of a cluster's slopes times rows, how fast it changes, and what the cluster tells about coefficients. */
    private record Cluster(double[] slopes, double[] change, double[] information) {}

    /** Returns the sums for a margin that is the same for all rows. */
    public double[] nullModel(double margin) {
        double[] sums = new double[NULL_NUMBERS];
        Sums all = total(4, sums, () -> (total, from, to) -> addNullModel(margin, total, from, to));
        for (int k = 0; k < NULL_THIRD; k++) {
            sums[k] = all.exact[k].value();
        }
        for (int k = NULL_THIRD; k < sums.length; k++) {
            sums[k] = summable(sums[k]);
        }
        return sums;
    }

    private void addNullModel(double margin, Sums total, int from, int to) {
        double[] sums = total.sums;
        for (int j = from; j < to; j++) {
            double label = problem.label(j);
            double offset = problem.data().offset(problem.row(j));
            double shifted = margin + offset;
            double weight = problem.weight(j);
            double value = family.value(shifted, label);
            double ownSlope = family.derivative(shifted, label);
            double bend = family.curvature(shifted, label);
            total.exact[0].add(weight * value);
            total.exact[1].add(weight * ownSlope);
            total.exact[2].add(weight * bend);
            double ofMargin = offset == 0 ? 0 : Rounding.UNIT * Math.abs(shifted);
            double own = OPERATIONS * Rounding.UNIT;
            sums[NULL_THIRD] += SLIGHTLY_MORE * weight * family.thirdWithin(shifted, label, RADIUS);
            sums[NULL_ROUNDING] += weight * (own * value + 2 * ofMargin * Math.abs(ownSlope));
            sums[NULL_ROUNDING_OF_SLOPE] += weight * (own * Math.abs(ownSlope) + 2 * ofMargin * Math.abs(bend));
        }
    }
}
