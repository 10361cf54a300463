package dev.starling.method.multipliers;

import dev.starling.cores.Blocks;
import dev.starling.cores.Loops;
import dev.starling.loss.PiecewiseLinearLoss;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;

/**
 * The state of a node's samples: the margin m of each sample, its multiplier a, and the slope s of its smoothed loss
 * max over s of [sm − ℓ*(s) − (γ/2)(s − a)²], which is (m + γa − kink)/γ clipped to the slopes on both sides of the
 * kink. The gradient is kept too, so that only rows whose slopes have changed are visited again.
 */
final class SmoothedSamples implements Stateful {

    /** How many numbers of a sample a sum visits that needs only what is known of the sample, not its row. */
    private static final int NUMBERS = 16;

    /** The same for a loop that sums up nothing, which may have many short iterations. */
    private static final int FINE = 4 * NUMBERS;

    private final Samples samples;
    private final GradientLayout layout;
    private final boolean many;
    private final MarginRounding rounding;
    private final double[] gradient;

    /** The part of the gradient that comes from samples with positive slopes, which a free intercept needs. */
    private final double[] rising;

    /** The slopes at the current margins; those that are released may be earlier ones. */
    private final double[] current;

    private final ReleasedShares releasedSlopes;
    private final ReleasedShares releasedCurvatures;

    private int held;

    /** Whether the released slopes are those of an earlier gradient. */
    private boolean repeated;

    /**
     * Creates the samples of a node at the start of a run.
     *
     * @param many whether all nodes together have many samples
     * @param fewest the smallest number of samples in which two released sums may differ, unless they are the same
     * @param allowed whether another gradient or Hessian may be released with these shares, which are multiplied by the
     *     samples' weights
     */
    SmoothedSamples(
            LocalProblem problem,
            GradientLayout layout,
            boolean many,
            int fewest,
            BiPredicate<SumKind, double[]> allowed) {
        this.many = many;
        this.samples = new Samples(problem);
        this.layout = layout;
        this.rounding = new MarginRounding(problem, (PiecewiseLinearLoss) problem.loss());
        this.current = new double[samples.count];
        this.gradient = new double[problem.features()];
        this.rising = new double[layout.intercept() ? layout.features() : 0];
        // Nobody asks for the weights of samples of which nothing is withheld.
        double[] weights = new double[fewest > 1 ? samples.count : 0];
        Arrays.setAll(weights, samples::weight);
        this.releasedSlopes = new ReleasedShares(
                weights, fewest, layout.intercept(), slopes -> allowed.test(SumKind.GRADIENT, slopes));
        this.releasedCurvatures =
                new ReleasedShares(weights, fewest, false, curvatures -> allowed.test(SumKind.HESSIAN, curvatures));
    }

    /** Returns how many samples were held by their kinks in the last gradient. */
    int held() {
        return held;
    }

    /** Returns the number of samples in a sum with this stride. */
    int visits(int stride) {
        return samples.visits(stride);
    }

    /** Overwrites the sums with those of {@link SumKind#GRADIENT}. */
    void sumGradient(SumInstructions instructions, boolean tight, int fewest, double[] sums) {
        if (instructions.stride() != samples.stride) {
            begin(instructions.stride());
        } else if (instructions.updatesMultipliers()) {
            samples.inSum(FINE, (from, to) -> {
                for (int j = from; j < to; j += samples.stride) {
                    samples.multipliers[j] = samples.slopes[j];
                }
            });
        }
        if (instructions.recomputes()) {
            Arrays.fill(gradient, 0);
            Arrays.fill(rising, 0);
            Loops.overRows(samples.count, Loops.rows(FINE), (from, to) -> Arrays.fill(samples.slopes, from, to, 0));
            rounding.begin(instructions.point(), tight && samples.stride == 1);
            samples.multiply(instructions.point(), samples.margins);
        } else {
            rounding.move(instructions.step(), instructions.direction(), instructions.point());
            advance(instructions.step());
        }
        double[] released = releasedSlopes.substituteFor(slopes(instructions.band()));
        repeated = released != current;
        int count = visits(samples.stride);
        GradientSums total = new GradientSums(samples, released, gradient, rising, rounding.added());
        Blocks.sum(count, rowsOfABlock(2 * gradient.length), 2 * gradient.length, total, total::another);
        held = total.held();
        total.write(layout, sums);
        sums[layout.visits()] = instructions.recomputes() ? count : total.changed();
        sums[layout.held()] = held;
        sums[layout.tooFewHeld()] = held > 0 && held < fewest ? 1 : 0;
        rounding.finish(total.weight(), layout, sums);
        releasedSlopes.add(released);
    }

    private int rowsOfABlock(int length) {
        double values = samples.problem.valuesPerRow();
        return Blocks.rows(Math.max(NUMBERS, values), NUMBERS + values, length);
    }

    /**
     * Switches to another stride and resets its multipliers. With many samples, multipliers start half-way between a
     * kink's slopes, which saves steps; small, difficult problems are certified more often if they start at 0.
     */
    private void begin(int newStride) {
        samples.stride = newStride;
        samples.inSum(FINE, (from, to) -> {
            for (int j = from; j < to; j += newStride) {
                samples.multipliers[j] = many ? samples.kinks.middle(samples.label(j)) : 0;
            }
        });
    }

    private void advance(double step) {
        if (step != 0) {
            samples.inSum(FINE, (from, to) -> {
                for (int j = from; j < to; j += samples.stride) {
                    samples.margins[j] = Math.fma(step, samples.changes[j], samples.margins[j]);
                }
            });
        }
    }

    private double[] slopes(double band) {
        double sharpness = 1 / band;
        samples.inSum(FINE, (from, to) -> {
            for (int j = from; j < to; j += samples.stride) {
                current[j] = samples.kinks.slope(
                        samples.margins[j], samples.label(j), samples.multipliers[j], band, sharpness);
            }
        });
        return current;
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
        double[] shares = new double[samples.count];
        samples.inSum(FINE, (from, to) -> {
            for (int j = from; j < to; j += samples.stride) {
                shares[j] = samples.isHeld(j) ? 1 : 0;
            }
        });
        // A Hessian need not cover a node's samples: steps along a wrong one are shorter, and proven all the same.
        return releasedCurvatures.substituteFor(shares, new double[shares.length]);
    }

    /** Overwrites the sums with those of {@link SumKind#HESSIAN}, without the factor 1/γ. */
    void sumHessian(int numbers, double[] sums) {
        int length = GradientLayout.FIRST + numbers;
        Arrays.fill(sums, GradientLayout.FIRST, length, 0);
        boolean withholds = releasedCurvatures.withholds();
        double[] shares = withholds ? curvatures() : samples.slopes;
        IntPredicate counts = withholds ? j -> shares[j] != 0 : samples::isHeld;
        Blocks.sum(
                visits(samples.stride),
                rowsOfABlock(length),
                length,
                new HeldSums(samples, counts, sums),
                () -> new HeldSums(samples, counts, new double[length]));
        if (withholds) {
            releasedCurvatures.add(shares);
        }
    }

    /** Overwrites the sums with those of {@link SumKind#LINE}. */
    void sumLine(SumInstructions instructions, double[] sums) {
        if (!instructions.directionKnown()) {
            samples.multiply(instructions.direction(), samples.changes);
        }
        double[] steps = steps(instructions);
        int length = GradientLayout.FIRST + steps.length;
        Arrays.fill(sums, HiddenSum.HEAD, HiddenSum.HEAD + steps.length, 0);
        double band = instructions.band();
        LineSums total = new LineSums(samples, band, steps, repeated, sums);
        Blocks.sum(
                visits(samples.stride),
                Blocks.rows(NUMBERS, NUMBERS, length),
                length,
                total,
                () -> new LineSums(samples, band, steps, repeated, new double[length]));
        total.finish();
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
        double[] before = samples.slopes;
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
        for (int j = 0; j < samples.count; j++) {
            rise += samples.weight(j) * samples.changes[j] * (after[j] - before[j]);
        }
        return rise >= 0;
    }

    private double[] slopesAfter(double step, double band) {
        double[] after = new double[samples.count];
        LineSlopes line = new LineSlopes(samples.kinks);
        line.begin(band);
        for (int j = 0; j < samples.count; j += samples.stride) {
            after[j] = line.after(
                    step,
                    samples.margins[j],
                    samples.changes[j],
                    samples.multipliers[j],
                    samples.label(j),
                    samples.slopes[j]);
        }
        return after;
    }

    /** Returns the factor of each sample in a sum; for a line, after the longest step that is released. */
    SumRequest.Shares shares(SumInstructions instructions) {
        double[] shares = switch (instructions.kind()) {
            case GRADIENT -> samples.slopes.clone();
            case HESSIAN -> curvatures().clone();
            case LINE -> slopesAfter(steps(instructions)[SearchLine.TRIALS - 1], instructions.band());
            default -> throw GradientLayout.unknown(instructions.kind());
        };
        for (int j = 0; j < samples.count; j++) {
            shares[j] *= samples.weight(j);
        }
        return instructions.kind() == SumKind.HESSIAN
                ? SumRequest.Shares.ofCurvatures(shares)
                : SumRequest.Shares.ofSlopes(shares);
    }

    @Override
    public void state(State s) throws IOException {
        samples.state(s);
        s.vector(gradient);
        s.vector(rising);
        held = s.number(held);
        repeated = s.flag(repeated);
        releasedSlopes.state(s);
        releasedCurvatures.state(s);
        rounding.state(s);
    }
}
