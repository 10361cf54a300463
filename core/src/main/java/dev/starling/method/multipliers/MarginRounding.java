package dev.starling.method.multipliers;

import dev.starling.loss.PiecewiseLinearLoss;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumWords;
import dev.starling.objective.PassLayout;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.RowBounds;
import dev.starling.problem.VectorSumRounding;
import java.io.IOException;
import java.util.Optional;

/**
 * Bounds the rounding errors in the margins, slopes and gradient that a node keeps. If they have just been recomputed,
 * it can do so row by row; otherwise it treats every row as if it had the largest possible length, and adds up the
 * errors of all steps since they were recomputed.
 */
final class MarginRounding implements Stateful {

    /** The number of roundings in a sum of rows that are not additions, with room to spare. */
    private static final int OPERATIONS = 8;

    /** The number of roundings in a step: of θ, of a margin, and of the lengths here. */
    private static final int STEP_OPERATIONS = 4;

    private final LocalProblem problem;
    private final PiecewiseLinearLoss loss;
    private final double steepest;
    private final double widest;
    private RowBounds bounds;
    private AddedSamples added;

    /** A bound on the error of a margin. */
    private double drift;

    /** The lengths of rows, once they are known. */
    private Optional<VectorSumRounding> lengths = Optional.empty();

    MarginRounding(LocalProblem problem, PiecewiseLinearLoss loss) {
        this.problem = problem;
        this.loss = loss;
        this.added = new AddedSamples(problem, Optional.empty(), 0);
        double falling = Math.max(-loss.smallestSlope(1), -loss.smallestSlope(-1));
        double rising = Math.max(loss.largestSlope(1), loss.largestSlope(-1));
        this.steepest = Math.max(falling, rising);
        this.widest =
                Math.max(loss.largestSlope(1) - loss.smallestSlope(1), loss.largestSlope(-1) - loss.smallestSlope(-1));
    }

    /** Starts again at a point where everything is recomputed. */
    void begin(double[] point, boolean byRow) {
        if (byRow && lengths.isEmpty()) {
            lengths = Optional.of(new VectorSumRounding(problem));
        }
        bounds = bounds == null ? problem.bounds() : bounds;
        double length = Rounding.length(point);
        Optional<VectorSumRounding> rows = byRow ? lengths.map(VectorSumRounding::another) : Optional.empty();
        added = new AddedSamples(problem, rows, length);
        drift = Rounding.ofMargin(bounds.stored(), bounds.length() * length, bounds.label() + loss.tolerance());
    }

    /** What was added to the gradient since everything was recomputed. */
    AddedSamples added() {
        return added;
    }

    /** Accounts for a step of all margins along a direction, to a point. */
    void move(double step, double[] direction, double[] point) {
        added = added.loosely();
        bounds = bounds == null ? problem.bounds() : bounds;
        if (step != 0) {
            double products = Rounding.ofMargin(bounds.stored(), bounds.length() * Rounding.length(direction), 0);
            drift += step * products
                    + STEP_OPERATIONS * Rounding.UNIT * (bounds.length() * Rounding.length(point) + drift);
        }
    }

    /**
     * Writes the bounds to the sums, which already hold everything else. They include the rounding of numbers to words.
     */
    void finish(double weight, GradientLayout layout, double[] sums) {
        double slightlyMore = 1 + (problem.samples() + added.additions()) * 4 * Rounding.UNIT;
        double loose =
                Rounding.UNIT * slightlyMore * (added.additions() + OPERATIONS) * added.reach() * bounds.length();
        double spread = added.isByRow() ? added.spread(sums, PassLayout.GRADIENT) : loose;
        double inError = added.isByRow() ? slightlyMore * added.error() : slightlyMore * weight * steepest * drift;
        double inExcess = added.isByRow() ? slightlyMore * added.slack() : slightlyMore * weight * widest * drift;
        sums[PassLayout.ERROR] = inError;
        sums[PassLayout.SLACK] = inExcess + SumWords.rounding(sums[layout.excess()]);
        sums[PassLayout.SPREAD] = spread;
        if (layout.intercept()) {
            // The bound for the whole gradient holds for a part of it too: no more rows, and no larger factors, were
            // added to it.
            sums[layout.pass().risingSpread()] = loose;
        }
        layout.pass().roundUp(sums);
    }

    @Override
    public void state(State s) throws IOException {
        drift = s.number(drift);
        added.state(s);
    }
}
