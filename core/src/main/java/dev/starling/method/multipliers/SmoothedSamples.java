package dev.starling.method.multipliers;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.PiecewiseLinearLoss;
import dev.starling.method.sums.OuterProducts;
import dev.starling.node.HiddenSum;
import dev.starling.node.SavedState;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * A node's samples as the method keeps them: of each its margin m, its multiplier a, and the slope s of its smoothed
 * loss max over s of [sm − ℓ*(s) − (γ/2)(s − a)²], which is (m + γa − kink)/γ clipped to the slopes that the kink has.
 * The gradient is kept too, so that only rows whose slopes have changed are visited again.
 */
final class SmoothedSamples {

    private final LocalProblem problem;
    private final Dataset data;
    private final int samples;
    private final MarginRounding rounding;
    private final OuterProducts outerProducts;

    private final double tolerance;
    private final double risingLow;
    private final double risingHigh;
    private final double fallingLow;
    private final double fallingHigh;

    private final double[] margins;
    private final double[] multipliers;
    private final double[] slopes;
    private final double[] gradient;

    /** What margins change by along the last direction. */
    private final double[] changes;

    private int held;

    /* A block of samples: where the clip has its argument, its ends, and what a sum takes of each. */
    private final int[] rows = new int[Loss.BLOCK];
    private final double[] upper = new double[Loss.BLOCK];
    private final double[] lower = new double[Loss.BLOCK];
    private final double[] highs = new double[Loss.BLOCK];
    private final double[] lows = new double[Loss.BLOCK];
    private final double[] speeds = new double[Loss.BLOCK];
    private final double[] scales = new double[Loss.BLOCK];

    SmoothedSamples(LocalProblem problem) {
        PiecewiseLinearLoss loss = (PiecewiseLinearLoss) problem.loss();
        this.problem = problem;
        this.data = problem.data();
        this.samples = problem.samples();
        this.rounding = new MarginRounding(problem, loss);
        this.outerProducts = new OuterProducts(data);
        this.tolerance = loss.tolerance();
        this.risingLow = loss.smallestSlope(1);
        this.risingHigh = loss.largestSlope(1);
        this.fallingLow = loss.smallestSlope(-1);
        this.fallingHigh = loss.largestSlope(-1);
        this.margins = new double[samples];
        this.multipliers = new double[samples];
        this.slopes = new double[samples];
        this.changes = new double[samples];
        this.gradient = new double[problem.features()];
    }

    /** How many samples had slopes between the ends of their clips in the last gradient. */
    int held() {
        return held;
    }

    private double low(double label) {
        return label > 0 ? risingLow : fallingLow;
    }

    private double high(double label) {
        return label > 0 ? risingHigh : fallingHigh;
    }

    /** Overwrites the sums with those of {@link Ask#GRADIENT}. */
    void sumGradient(Order order, boolean tight, int fewest, double[] sums) {
        if (order.renews()) {
            System.arraycopy(slopes, 0, multipliers, 0, samples);
        }
        boolean bounded = order.afresh() && tight;
        if (order.afresh()) {
            Arrays.fill(gradient, 0);
            Arrays.fill(slopes, 0);
            rounding.begin(order.point(), bounded);
        } else {
            rounding.move(order.step(), order.direction(), order.point());
        }
        CompensatedSum loss = new CompensatedSum();
        CompensatedSum excess = new CompensatedSum();
        double weight = 0;
        double distance = 0;
        double band = order.band();
        double sharpness = 1 / band;
        long visits = 0;
        held = 0;
        for (int from = 0; from < samples; from += Loss.BLOCK) {
            int to = Math.min(samples, from + Loss.BLOCK);
            if (order.afresh()) {
                multiply(order.point(), margins, from, to);
                visits += to - from;
            } else if (order.step() != 0) {
                advance(order.step(), from, to);
            }
            double losses = 0;
            double excesses = 0;
            for (int j = from; j < to; j++) {
                int row = problem.row(j);
                double label = data.label(row);
                double low = low(label);
                double high = high(label);
                double rowWeight = data.weight(row);
                double above = margins[j] - label - tolerance;
                double below = margins[j] - label + tolerance;
                double offset = band * multipliers[j];
                double up = Math.min(Math.max((above + offset) * sharpness, 0), high);
                double down = Math.max(Math.min((below + offset) * sharpness, 0), low);
                double slope = up + down;
                double change = slope - multipliers[j];
                weight += rowWeight;
                losses += rowWeight * (above > 0 ? high * above : below < 0 ? low * below : 0);
                excesses += rowWeight
                        * ((above > 0 ? (high - up) * above : -up * above)
                                + (below < 0 ? (low - down) * below : -down * below));
                distance += rowWeight * change * change;
                held += isHeld(slope, low, high) ? 1 : 0;
                if (slope != slopes[j]) {
                    double step = rowWeight * (slope - slopes[j]);
                    slopes[j] = slope;
                    data.addTo(row, step, gradient, 0);
                    rounding.added(j, step, gradient);
                    visits += order.afresh() ? 0 : 1;
                }
            }
            if (bounded) {
                rounding.bound(from, to, margins, slopes);
            }
            loss.add(losses);
            excess.add(excesses);
        }
        sums[Sums.LOSS] = loss.value();
        sums[Sums.WEIGHT] = weight;
        sums[Sums.EXCESS] = excess.value();
        sums[Sums.DISTANCE] = distance;
        sums[Sums.VISITS] = visits;
        sums[Sums.HELD] = held;
        sums[Sums.SHY] = held > 0 && held < fewest ? 1 : 0;
        System.arraycopy(gradient, 0, sums, Sums.GRADIENT, gradient.length);
        rounding.finish(weight, sums);
    }

    /** Between kinks, where ε > 0 and the slope is 0, the loss is as flat as it is straight outside. */
    private boolean isHeld(double slope, double low, double high) {
        return slope > low && slope < high && (tolerance == 0 || slope != 0);
    }

    private void multiply(double[] vector, double[] products, int from, int to) {
        for (int j = from; j < to; j++) {
            products[j] = data.dot(problem.row(j), vector);
        }
    }

    private void advance(double step, int from, int to) {
        for (int j = from; j < to; j++) {
            margins[j] = Math.fma(step, changes[j], margins[j]);
        }
    }

    /** Overwrites the sums with those of {@link Ask#HESSIAN}, but for 1/γ. */
    void sumHessian(int numbers, double[] sums) {
        Arrays.fill(sums, Sums.FIRST, Sums.FIRST + numbers, 0);
        int count = 0;
        for (int j = 0; j < samples; j++) {
            int row = problem.row(j);
            double label = data.label(row);
            if (isHeld(slopes[j], low(label), high(label))) {
                rows[count] = row;
                scales[count++] = data.weight(row);
            }
            if (count == Loss.BLOCK || (j == samples - 1 && count > 0)) {
                outerProducts.add(count, rows, scales, sums, Sums.FIRST);
                count = 0;
            }
        }
    }

    /** Overwrites the sums with those of {@link Ask#LINE}. */
    void sumLine(Order order, double[] sums) {
        double[] trials = order.trials();
        Arrays.fill(sums, HiddenSum.HEAD, HiddenSum.HEAD + trials.length, 0);
        double longest = trials[trials.length - 1];
        double band = order.band();
        double sharpness = 1 / band;
        CompensatedSum same = new CompensatedSum();
        for (int from = 0; from < samples; from += Loss.BLOCK) {
            int to = Math.min(samples, from + Loss.BLOCK);
            if (!order.known()) {
                multiply(order.direction(), changes, from, to);
            }
            int count = 0;
            double unmoved = 0;
            for (int j = from; j < to; j++) {
                int row = problem.row(j);
                double label = data.label(row);
                double speed = data.weight(row) * changes[j];
                load(count, sharpness, band, j, label);
                speeds[count] = speed;
                // A slope only ever grows or only ever falls along a line: if the ends have the same, all between do.
                double last = clip(count, longest);
                if (last == slopes[j]) {
                    unmoved += speed * last;
                } else {
                    count++;
                }
            }
            same.add(unmoved);
            for (int k = 0; k < trials.length; k++) {
                sums[Sums.FIRST + k] += moved(count, trials[k]);
            }
        }
        for (int k = 0; k < trials.length; k++) {
            sums[Sums.FIRST + k] += same.value();
        }
    }

    private void load(int k, double sharpness, double band, int sample, double label) {
        double start = Math.fma(band, multipliers[sample], margins[sample]) - label;
        upper[k] = (start - tolerance) * sharpness;
        lower[k] = (start + tolerance) * sharpness;
        highs[k] = high(label);
        lows[k] = low(label);
        scales[k] = changes[sample] * sharpness;
    }

    private double slopeAfter(double step, double band, int sample, double label) {
        load(0, 1 / band, band, sample, label);
        return clip(0, step);
    }

    private double clip(int k, double step) {
        double up = Math.min(Math.max(Math.fma(step, scales[k], upper[k]), 0), highs[k]);
        double down = Math.max(Math.min(Math.fma(step, scales[k], lower[k]), 0), lows[k]);
        return up + down;
    }

    private double moved(int count, double step) {
        double sum = 0;
        for (int k = 0; k < count; k++) {
            sum = Math.fma(speeds[k], clip(k, step), sum);
        }
        return sum;
    }

    /** What each sample is multiplied by in a sum; along a line, after its longest step. */
    double[] shares(Order order) {
        double[] shares = new double[samples];
        double[] trials = order.trials();
        for (int j = 0; j < samples; j++) {
            int row = problem.row(j);
            double label = data.label(row);
            double share = switch (order.ask()) {
                case GRADIENT -> slopes[j];
                case HESSIAN -> isHeld(slopes[j], low(label), high(label)) ? 1 : 0;
                case LINE -> slopeAfter(trials[trials.length - 1], order.band(), j, label);
            };
            shares[j] = data.weight(row) * share;
        }
        return shares;
    }

    void save(DataOutput out) throws IOException {
        for (double[] values : new double[][] {margins, multipliers, slopes, changes, gradient}) {
            SavedState.writeDoubles(out, values);
        }
        out.writeInt(held);
        rounding.save(out);
    }

    void restore(DataInput in) throws IOException {
        for (double[] values : new double[][] {margins, multipliers, slopes, changes, gradient}) {
            SavedState.readDoubles(in, values);
        }
        held = in.readInt();
        rounding.restore(in);
    }
}
