package dev.starling.method.multipliers;

import dev.starling.data.Dataset;
import dev.starling.loss.PiecewiseLinearLoss;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumWords;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.RowBounds;
import dev.starling.problem.VectorSumRounding;
import java.io.IOException;

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
    private VectorSumRounding rows;
    private boolean bounded;
    private double length;

    /** A bound on the error of a margin. */
    private double drift;

    /** How many rows were added to the gradient, and the sum of the absolute values of their factors. */
    private long additions;

    private double reach;
    private double error;
    private double slack;

    MarginRounding(LocalProblem problem, PiecewiseLinearLoss loss) {
        this.problem = problem;
        this.loss = loss;
        double falling = Math.max(-loss.smallestSlope(1), -loss.smallestSlope(-1));
        double rising = Math.max(loss.largestSlope(1), loss.largestSlope(-1));
        this.steepest = Math.max(falling, rising);
        this.widest =
                Math.max(loss.largestSlope(1) - loss.smallestSlope(1), loss.largestSlope(-1) - loss.smallestSlope(-1));
    }

    /** Starts again at a point where everything is recomputed. */
    void begin(double[] point, boolean byRow) {
        bounded = byRow;
        if (byRow) {
            rows = rows == null ? new VectorSumRounding(problem) : rows;
            rows.begin();
        }
        bounds = bounds == null ? problem.bounds() : bounds;
        length = Rounding.length(point);
        drift = Rounding.ofMargin(bounds.stored(), bounds.length() * length, bounds.label() + loss.tolerance());
        additions = 0;
        reach = 0;
        error = 0;
        slack = 0;
    }

    /** Accounts for a step of all margins along a direction, to a point. */
    void move(double step, double[] direction, double[] point) {
        bounded = false;
        bounds = bounds == null ? problem.bounds() : bounds;
        if (step != 0) {
            double products = Rounding.ofMargin(bounds.stored(), bounds.length() * Rounding.length(direction), 0);
            drift += step * products
                    + STEP_OPERATIONS * Rounding.UNIT * (bounds.length() * Rounding.length(point) + drift);
        }
    }

    /** Accounts for adding a sample, times a scale, to the gradient. */
    void added(int sample, double scale, double[] gradient) {
        additions++;
        reach += Math.abs(scale);
        if (bounded) {
            rows.added(sample, scale, gradient, 0);
        }
    }

    /** Bounds the rounding errors in the margins of some samples. */
    void bound(int from, int to, double[] margins, double[] slopes) {
        Dataset data = problem.data();
        for (int j = from; j < to; j++) {
            int row = problem.row(j);
            double label = data.label(row);
            double distance = Rounding.ofMargin(
                    data.end(row) - data.start(row), rows.length(j) * length, Math.abs(label) + loss.tolerance());
            double below = loss.derivative(margins[j] - distance, label);
            double above = loss.derivative(margins[j] + distance, label);
            double weight = data.weight(row);
            error += weight * distance * Math.max(Math.abs(below), Math.abs(above));
            slack += weight * distance * Math.max(Math.abs(slopes[j] - below), Math.abs(above - slopes[j]));
        }
    }

    /**
     * Writes the bounds to the sums, which already hold everything else. They include the rounding of numbers to words.
     */
    void finish(double weight, GradientLayout layout, double[] sums) {
        double slightlyMore = 1 + (problem.samples() + additions) * 4 * Rounding.UNIT;
        double loose = Rounding.UNIT * slightlyMore * (additions + OPERATIONS) * reach * bounds.length();
        double spread = bounded ? rows.bound(sums, GradientLayout.GRADIENT) : loose;
        double inError = bounded ? slightlyMore * error : slightlyMore * weight * steepest * drift;
        double inExcess = bounded ? slightlyMore * slack : slightlyMore * weight * widest * drift;
        sums[GradientLayout.ERROR] = SumWords.up(inError + (sums[GradientLayout.LOSS] == 0 ? 0 : SumWords.ROUNDING));
        sums[GradientLayout.SLACK] = SumWords.up(inExcess + (sums[GradientLayout.EXCESS] == 0 ? 0 : SumWords.ROUNDING));
        sums[GradientLayout.SPREAD] =
                SumWords.up(spread + (isZero(sums) ? 0 : Math.sqrt(problem.features()) * SumWords.ROUNDING));
        if (layout.intercept()) {
            // The bound for the whole gradient holds for a part of it too: no more rows, and no larger factors, were
            // added to it.
            sums[layout.risingSpread()] = SumWords.up(loose + Math.sqrt(problem.features()) * SumWords.ROUNDING);
        }
    }

    private boolean isZero(double[] sums) {
        for (int c = GradientLayout.GRADIENT; c < GradientLayout.GRADIENT + problem.features(); c++) {
            if (sums[c] != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void state(State s) throws IOException {
        drift = s.number(drift);
        additions = s.number(additions);
        reach = s.number(reach);
    }
}
