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
import java.util.function.Predicate;

/**
 * A node's samples as the method keeps them: of each its margin m, its multiplier a, and the slope s of its smoothed
 * loss max over s of [sm − ℓ*(s) − (γ/2)(s − a)²], which is (m + γa − kink)/γ clipped to the slopes that the kink has.
 * The gradient is kept too, so that only rows whose slopes have changed are visited again.
 */
final class SmoothedSamples {

    private final LocalProblem problem;
    private final GradientLayout layout;
    private final Dataset data;
    private final int samples;
    private final MarginRounding rounding;
    private final OuterProducts outerProducts;

    private final Kinks kinks;
    private final LineSlopes line;

    private final double[] margins;
    private final double[] multipliers;
    private final double[] slopes;
    private final double[] gradient;
    private final RisingGradient rising;

    /** What margins change by along the last direction. */
    private final double[] changes;

    /** Slopes as they are at the margins; what is told may be those of before. */
    private final double[] current;

    private final ToldShares toldSlopes;
    private final ToldShares toldCurvatures;

    private int held;

    /** Whether the slopes are those of an earlier gradient. */
    private boolean repeated;

    /** Sums are over every so many-th sample; 0 before the first. */
    private int every;

    /* A block of samples that a Hessian is of. */
    private final int[] rows = new int[Loss.BLOCK];
    private final double[] scales = new double[Loss.BLOCK];

    /**
     * Samples at the start.
     *
     * @param fewest samples that make the difference of two sums, unless none do
     * @param allowed whether samples may have these slopes, times their weights, in another gradient
     */
    SmoothedSamples(LocalProblem problem, GradientLayout layout, int fewest, Predicate<double[]> allowed) {
        PiecewiseLinearLoss loss = (PiecewiseLinearLoss) problem.loss();
        this.problem = problem;
        this.layout = layout;
        this.data = problem.data();
        this.samples = problem.samples();
        this.rounding = new MarginRounding(problem, loss);
        this.outerProducts = new OuterProducts(data);
        this.kinks = new Kinks(loss);
        this.line = new LineSlopes(kinks);
        this.margins = new double[samples];
        this.multipliers = new double[samples];
        this.slopes = new double[samples];
        this.changes = new double[samples];
        this.current = new double[samples];
        this.gradient = new double[problem.features()];
        double[] weights = new double[samples];
        Arrays.setAll(weights, j -> data.weight(problem.row(j)));
        this.toldSlopes = new ToldShares(weights, fewest, layout.intercept(), allowed);
        this.toldCurvatures = new ToldShares(weights, fewest, false, curvatures -> true);
        this.rising = new RisingGradient(problem, layout);
    }

    /** How many samples had slopes between the ends of their clips in the last gradient. */
    int held() {
        return held;
    }

    /** Overwrites the sums with those of {@link SumKind#GRADIENT}. */
    void sumGradient(SumInstructions order, boolean tight, int fewest, double[] sums) {
        if (order.every() != every) {
            begin(order.every());
        } else if (order.renews()) {
            System.arraycopy(slopes, 0, multipliers, 0, samples);
        }
        boolean bounded = order.afresh() && tight && every == 1;
        if (order.afresh()) {
            Arrays.fill(gradient, 0);
            rising.clear();
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
        int count = visits(every);
        long visits = order.afresh() ? count : 0;
        if (order.afresh()) {
            multiply(order.point(), margins);
        } else if (order.step() != 0) {
            advance(order.step());
        }
        for (int j = 0; j < samples; j += every) {
            current[j] = kinks.slope(margins[j], data.label(problem.row(j)), multipliers[j], band, sharpness);
        }
        double[] answer = toldSlopes.insteadOf(current);
        repeated = answer != current;
        held = 0;
        for (int from = 0; from < count; from += Loss.BLOCK) {
            int to = Math.min(count, from + Loss.BLOCK);
            double losses = 0;
            double excesses = 0;
            for (int k = from; k < to; k++) {
                int j = k * every;
                int row = problem.row(j);
                double label = data.label(row);
                double low = kinks.low(label);
                double high = kinks.high(label);
                double rowWeight = data.weight(row);
                double above = margins[j] - label - kinks.tolerance();
                double below = margins[j] - label + kinks.tolerance();
                double slope = answer[j];
                double up = Math.max(slope, 0);
                double down = Math.min(slope, 0);
                double change = slope - multipliers[j];
                weight += rowWeight;
                losses += rowWeight * (above > 0 ? high * above : below < 0 ? low * below : 0);
                excesses += rowWeight
                        * ((above > 0 ? (high - up) * above : -up * above)
                                + (below < 0 ? (low - down) * below : -down * below));
                distance += rowWeight * change * change;
                held += kinks.holds(slope, label) ? 1 : 0;
                if (slope != slopes[j]) {
                    double step = rowWeight * (slope - slopes[j]);
                    rising.changed(row, rowWeight, slopes[j], slope);
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
        sums[GradientLayout.LOSS] = loss.value();
        sums[GradientLayout.WEIGHT] = weight;
        sums[GradientLayout.EXCESS] = excess.value();
        sums[GradientLayout.DISTANCE] = distance;
        sums[GradientLayout.VISITS] = visits;
        sums[GradientLayout.HELD] = held;
        sums[GradientLayout.SHY] = held > 0 && held < fewest ? 1 : 0;
        System.arraycopy(gradient, 0, sums, GradientLayout.GRADIENT, gradient.length);
        rising.write(slopes, sums);
        rounding.finish(weight, layout, sums);
        toldSlopes.add(answer);
    }

    /**
     * Goes on with every so many-th sample, of none of which anything is known. Where there are many, multipliers begin
     * half-way between a kink's slopes, which saves steps; few nasty rows are certified more often from 0.
     */
    private void begin(int newEvery) {
        boolean many = newEvery > 1 || every > 1;
        Arrays.setAll(multipliers, j -> many ? kinks.middle(data.label(problem.row(j))) : 0);
        every = newEvery;
    }

    /** How many samples a sum over every so many-th is of. */
    int visits(int stride) {
        return (int) ((samples + stride - 1L) / stride);
    }

    private void multiply(double[] vector, double[] products) {
        for (int j = 0; j < samples; j += every) {
            products[j] = data.dot(problem.row(j), vector);
        }
    }

    private void advance(double step) {
        for (int j = 0; j < samples; j += every) {
            margins[j] = Math.fma(step, changes[j], margins[j]);
        }
    }

    /** How many samples a Hessian is of: those held, or those of an earlier one that differs in a few. */
    int curved() {
        if (!toldCurvatures.isReticent()) {
            return held;
        }
        int count = 0;
        for (double share : curvatures()) {
            count += share != 0 ? 1 : 0;
        }
        return count;
    }

    private double[] curvatures() {
        double[] shares = new double[samples];
        for (int j = 0; j < samples; j += every) {
            shares[j] = isHeld(j) ? 1 : 0;
        }
        return toldCurvatures.insteadOf(shares);
    }

    private boolean isHeld(int sample) {
        return kinks.holds(slopes[sample], data.label(problem.row(sample)));
    }

    /** Overwrites the sums with those of {@link SumKind#HESSIAN}, but for 1/γ. */
    void sumHessian(int numbers, double[] sums) {
        Arrays.fill(sums, GradientLayout.FIRST, GradientLayout.FIRST + numbers, 0);
        boolean reticent = toldCurvatures.isReticent();
        double[] shares = reticent ? curvatures() : slopes;
        int count = 0;
        for (int j = 0; j < samples; j += every) {
            if (reticent ? shares[j] != 0 : isHeld(j)) {
                rows[count] = problem.row(j);
                scales[count++] = data.weight(rows[count - 1]);
            }
            if (count == Loss.BLOCK) {
                outerProducts.add(count, rows, scales, sums, GradientLayout.FIRST);
                count = 0;
            }
        }
        outerProducts.add(count, rows, scales, sums, GradientLayout.FIRST);
        if (reticent) {
            toldCurvatures.add(shares);
        }
    }

    /** Overwrites the sums with those of {@link SumKind#LINE}. */
    void sumLine(SumInstructions order, double[] sums) {
        if (!order.known()) {
            multiply(order.direction(), changes);
        }
        double[] steps = steps(order);
        Arrays.fill(sums, HiddenSum.HEAD, HiddenSum.HEAD + steps.length, 0);
        double longest = steps[steps.length - 1];
        line.begin(order.band());
        int count = visits(every);
        for (int from = 0; from < count; from += Loss.BLOCK) {
            int to = Math.min(count, from + Loss.BLOCK);
            for (int k = from; k < to; k++) {
                int j = k * every;
                int row = problem.row(j);
                double speed = data.weight(row) * changes[j];
                line.add(margins[j], changes[j], multipliers[j], data.label(row), slopes[j], speed, longest, repeated);
            }
            line.finishBlock(steps, sums);
        }
        line.finish(steps, sums);
    }

    /** The steps that are told of: in the place of one that only few slopes change with, the one before; at first 0. */
    private double[] steps(SumInstructions order) {
        double[] steps = order.trials().clone();
        if (!toldSlopes.isReticent()) {
            return steps;
        }
        double[] before = slopes;
        double told = 0;
        for (int k = 0; k < steps.length; k++) {
            double[] after = slopesAfter(steps[k], order.band());
            // What others see along a line must rise, as it does where no slopes are those of an earlier gradient.
            if (toldSlopes.differInFew(before, after) || !isRise(before, after)) {
                steps[k] = told;
            } else {
                before = after;
                told = steps[k];
            }
        }
        return steps;
    }

    private boolean isRise(double[] before, double[] after) {
        double rise = 0;
        for (int j = 0; j < samples; j++) {
            rise += data.weight(problem.row(j)) * changes[j] * (after[j] - before[j]);
        }
        return rise >= 0;
    }

    private double[] slopesAfter(double step, double band) {
        double[] after = new double[samples];
        line.begin(band);
        for (int j = 0; j < samples; j += every) {
            double label = data.label(problem.row(j));
            after[j] = line.after(step, margins[j], changes[j], multipliers[j], label, slopes[j]);
        }
        return after;
    }

    /** What each sample is multiplied by in a sum; along a line, after the longest step that is told of. */
    double[] shares(SumInstructions order) {
        double[] shares = switch (order.ask()) {
            case GRADIENT -> slopes.clone();
            case HESSIAN -> curvatures().clone();
            case LINE -> slopesAfter(steps(order)[LineSearch.TRIALS - 1], order.band());
        };
        for (int j = 0; j < samples; j++) {
            shares[j] *= data.weight(problem.row(j));
        }
        return shares;
    }

    void save(DataOutput out) throws IOException {
        for (double[] values : new double[][] {margins, multipliers, slopes, changes, gradient, rising.vector()}) {
            SavedState.writeDoubles(out, values);
        }
        out.writeInt(held);
        out.writeInt(every);
        out.writeBoolean(repeated);
        toldSlopes.save(out);
        toldCurvatures.save(out);
        rounding.save(out);
    }

    void restore(DataInput in) throws IOException {
        for (double[] values : new double[][] {margins, multipliers, slopes, changes, gradient, rising.vector()}) {
            SavedState.readDoubles(in, values);
        }
        held = in.readInt();
        every = in.readInt();
        repeated = in.readBoolean();
        toldSlopes.restore(in);
        toldCurvatures.restore(in);
        rounding.restore(in);
    }
}
