package dev.starling.method.multipliers;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.PiecewiseLinearLoss;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.objective.OuterProducts;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The state of a node's samples: the margin m of each sample, its multiplier a, and the slope s of its smoothed loss
 * max over s of [sm − ℓ*(s) − (γ/2)(s − a)²], which is (m + γa − kink)/γ clipped to the slopes on both sides of the
 * kink. The gradient is kept too, so that only rows whose slopes have changed are visited again.
 */
final class SmoothedSamples implements Stateful {

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

    /** The change of each margin along the last direction. */
    private final double[] changes;

    /** The slopes at the current margins; those that are released may be earlier ones. */
    private final double[] current;

    private final ReleasedShares releasedSlopes;
    private final ReleasedShares releasedCurvatures;

    private int held;

    /** Whether the released slopes are those of an earlier gradient. */
    private boolean repeated;

    /** k if sums are over every k-th sample; 0 before the first sum. */
    private int stride;

    /* A block of samples to add to a Hessian. */
    private final int[] rows = new int[Loss.BLOCK];
    private final double[] scales = new double[Loss.BLOCK];

    /**
     * Creates the samples of a node at the start of a run.
     *
     * @param fewest the smallest number of samples in which two released sums may differ, unless they are the same
     * @param allowed whether another gradient may be released with these slopes, which are multiplied by the samples'
     *     weights
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
        this.releasedSlopes = new ReleasedShares(weights, fewest, layout.intercept(), allowed);
        this.releasedCurvatures = new ReleasedShares(weights, fewest, false, curvatures -> true);
        this.rising = new RisingGradient(problem, layout);
    }

    /** Returns how many samples were held by their kinks in the last gradient. */
    int held() {
        return held;
    }

    /** Overwrites the sums with those of {@link SumKind#GRADIENT}. */
    void sumGradient(SumInstructions instructions, boolean tight, int fewest, double[] sums) {
        if (instructions.stride() != stride) {
            begin(instructions.stride());
        } else if (instructions.updatesMultipliers()) {
            System.arraycopy(slopes, 0, multipliers, 0, samples);
        }
        boolean bounded = instructions.recomputes() && tight && stride == 1;
        if (instructions.recomputes()) {
            Arrays.fill(gradient, 0);
            rising.clear();
            Arrays.fill(slopes, 0);
            rounding.begin(instructions.point(), bounded);
        } else {
            rounding.move(instructions.step(), instructions.direction(), instructions.point());
        }
        CompensatedSum loss = new CompensatedSum();
        CompensatedSum excess = new CompensatedSum();
        double weight = 0;
        double distance = 0;
        double band = instructions.band();
        double sharpness = 1 / band;
        int count = visits(stride);
        long visits = instructions.recomputes() ? count : 0;
        if (instructions.recomputes()) {
            multiply(instructions.point(), margins);
        } else if (instructions.step() != 0) {
            advance(instructions.step());
        }
        for (int j = 0; j < samples; j += stride) {
            current[j] = kinks.slope(margins[j], data.label(problem.row(j)), multipliers[j], band, sharpness);
        }
        double[] released = releasedSlopes.substituteFor(current);
        repeated = released != current;
        held = 0;
        for (int from = 0; from < count; from += Loss.BLOCK) {
            int to = Math.min(count, from + Loss.BLOCK);
            double losses = 0;
            double excesses = 0;
            for (int k = from; k < to; k++) {
                int j = k * stride;
                int row = problem.row(j);
                double label = data.label(row);
                double low = kinks.low(label);
                double high = kinks.high(label);
                double rowWeight = data.weight(row);
                double above = margins[j] - label - kinks.tolerance();
                double below = margins[j] - label + kinks.tolerance();
                double slope = released[j];
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
                    visits += instructions.recomputes() ? 0 : 1;
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
        sums[GradientLayout.TOO_FEW_HELD] = held > 0 && held < fewest ? 1 : 0;
        System.arraycopy(gradient, 0, sums, GradientLayout.GRADIENT, gradient.length);
        rising.write(slopes, sums);
        rounding.finish(weight, layout, sums);
        releasedSlopes.add(released);
    }

    /**
     * Switches to another stride and resets all multipliers. With many samples, multipliers start half-way between a
     * kink's slopes, which saves steps; small, difficult problems are certified more often if they start at 0.
     */
    private void begin(int newStride) {
        boolean many = newStride > 1 || stride > 1;
        Arrays.setAll(multipliers, j -> many ? kinks.middle(data.label(problem.row(j))) : 0);
        stride = newStride;
    }

    /** Returns the number of samples in a sum with this stride. */
    int visits(int strideOfSum) {
        return (int) ((samples + strideOfSum - 1L) / strideOfSum);
    }

    private void multiply(double[] vector, double[] products) {
        for (int j = 0; j < samples; j += stride) {
            products[j] = data.dot(problem.row(j), vector);
        }
    }

    private void advance(double step) {
        for (int j = 0; j < samples; j += stride) {
            margins[j] = Math.fma(step, changes[j], margins[j]);
        }
    }

    /**
     * Returns the number of samples in a Hessian: those held, or those of an earlier Hessian that differs in only a
     * few.
     */
    int curved() {
        if (!releasedCurvatures.withholds()) {
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
        for (int j = 0; j < samples; j += stride) {
            shares[j] = isHeld(j) ? 1 : 0;
        }
        return releasedCurvatures.substituteFor(shares);
    }

    private boolean isHeld(int sample) {
        return kinks.holds(slopes[sample], data.label(problem.row(sample)));
    }

    /** Overwrites the sums with those of {@link SumKind#HESSIAN}, without the factor 1/γ. */
    void sumHessian(int numbers, double[] sums) {
        Arrays.fill(sums, GradientLayout.FIRST, GradientLayout.FIRST + numbers, 0);
        boolean withholds = releasedCurvatures.withholds();
        double[] shares = withholds ? curvatures() : slopes;
        int count = 0;
        for (int j = 0; j < samples; j += stride) {
            if (withholds ? shares[j] != 0 : isHeld(j)) {
                rows[count] = problem.row(j);
                scales[count++] = data.weight(rows[count - 1]);
            }
            if (count == Loss.BLOCK) {
                outerProducts.add(count, rows, scales, sums, GradientLayout.FIRST);
                count = 0;
            }
        }
        outerProducts.add(count, rows, scales, sums, GradientLayout.FIRST);
        if (withholds) {
            releasedCurvatures.add(shares);
        }
    }

    /** Overwrites the sums with those of {@link SumKind#LINE}. */
    void sumLine(SumInstructions instructions, double[] sums) {
        if (!instructions.directionKnown()) {
            multiply(instructions.direction(), changes);
        }
        double[] steps = steps(instructions);
        Arrays.fill(sums, HiddenSum.HEAD, HiddenSum.HEAD + steps.length, 0);
        double longest = steps[steps.length - 1];
        line.begin(instructions.band());
        int count = visits(stride);
        for (int from = 0; from < count; from += Loss.BLOCK) {
            int to = Math.min(count, from + Loss.BLOCK);
            for (int k = from; k < to; k++) {
                int j = k * stride;
                int row = problem.row(j);
                double speed = data.weight(row) * changes[j];
                line.add(margins[j], changes[j], multipliers[j], data.label(row), slopes[j], speed, longest, repeated);
            }
            line.finishBlock(steps, sums);
        }
        line.finish(steps, sums);
    }

    /**
     * Returns the steps to release slopes for. A step that changes only a few slopes compared with the step before is
     * replaced by that step, or by 0 if there is none before.
     */
    private double[] steps(SumInstructions instructions) {
        double[] steps = instructions.trials().clone();
        if (!releasedSlopes.withholds()) {
            return steps;
        }
        double[] before = slopes;
        double releasedStep = 0;
        for (int k = 0; k < steps.length; k++) {
            double[] after = slopesAfter(steps[k], instructions.band());
            // Other nodes expect slopes to rise along a line; they might not if those at its start belong to an earlier
            // gradient.
            if (releasedSlopes.differInFew(before, after) || !isRise(before, after)) {
                steps[k] = releasedStep;
            } else {
                before = after;
                releasedStep = steps[k];
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
        for (int j = 0; j < samples; j += stride) {
            double label = data.label(problem.row(j));
            after[j] = line.after(step, margins[j], changes[j], multipliers[j], label, slopes[j]);
        }
        return after;
    }

    /** Returns the factor of each sample in a sum; for a line, after the longest step that is released. */
    SumRequest.Shares shares(SumInstructions instructions) {
        double[] shares = switch (instructions.kind()) {
            case GRADIENT -> slopes.clone();
            case HESSIAN -> curvatures().clone();
            case LINE -> slopesAfter(steps(instructions)[LineSearch.TRIALS - 1], instructions.band());
            default -> throw GradientLayout.unknown(instructions.kind());
        };
        for (int j = 0; j < samples; j++) {
            shares[j] *= data.weight(problem.row(j));
        }
        return instructions.kind() == SumKind.HESSIAN
                ? SumRequest.Shares.ofCurvatures(shares)
                : SumRequest.Shares.ofSlopes(shares);
    }

    @Override
    public void state(State s) throws IOException {
        for (double[] values : new double[][] {margins, multipliers, slopes, changes, gradient, rising.vector()}) {
            s.vector(values);
        }
        held = s.number(held);
        stride = s.number(stride);
        repeated = s.flag(repeated);
        releasedSlopes.state(s);
        releasedCurvatures.state(s);
        rounding.state(s);
    }
}
