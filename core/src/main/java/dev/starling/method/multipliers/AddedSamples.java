package dev.starling.method.multipliers;

import dev.starling.data.Dataset;
import dev.starling.loss.PiecewiseLinearLoss;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.VectorSumRounding;
import java.io.IOException;
import java.util.Optional;

/** What the bounds on a gradient's rounding need to know of the samples that were added to it. */
final class AddedSamples implements Stateful {

    private final LocalProblem problem;
    private final PiecewiseLinearLoss loss;

    /** Present if rounding is bounded row by row. */
    private final Optional<VectorSumRounding> rows;

    /** The length of the point, rounded up. */
    private final double length;

    private long additions;
    private double reach;
    private double error;
    private double slack;

    AddedSamples(LocalProblem problem, Optional<VectorSumRounding> rows, double length) {
        this.problem = problem;
        this.loss = (PiecewiseLinearLoss) problem.loss();
        this.rows = rows;
        this.length = length;
    }

    /** Returns the same for a sum over other samples, of which there are none yet. */
    AddedSamples another() {
        return new AddedSamples(problem, rows.map(VectorSumRounding::another), length);
    }

    /** Returns the same with bounds that follow from the number of samples and their factors alone. */
    AddedSamples loosely() {
        AddedSamples same = new AddedSamples(problem, Optional.empty(), length);
        same.additions = additions;
        same.reach = reach;
        return same;
    }

    boolean isByRow() {
        return rows.isPresent();
    }

    /** How many rows were added, and blocks of rows. */
    long additions() {
        return additions;
    }

    /** The sum of the absolute values of the rows' factors. */
    double reach() {
        return reach;
    }

    /** A bound on how much too small margins make the losses; only by row. */
    double error() {
        return error;
    }

    /** A bound on what margins that do not match the slopes add to the gap; only by row. */
    double slack() {
        return slack;
    }

    /** A bound on the error of the gradient; only by row. */
    double spread(double[] vector, int offset) {
        return rows.orElseThrow().bound(vector, offset);
    }

    /** Accounts for adding a sample, times a scale, to the gradient. */
    void added(int sample, double scale, double[] gradient) {
        additions++;
        reach += Math.abs(scale);
        if (rows.isPresent()) {
            rows.get().added(sample, scale, gradient, 0);
        }
    }

    /** Accounts for adding another gradient to this one. */
    void add(AddedSamples next, double[] nextGradient, double[] gradient) {
        rows.ifPresent(own -> own.measure(gradient, 0));
        next.rows.ifPresent(other -> other.measure(nextGradient, 0));
        for (int c = 0; c < gradient.length; c++) {
            gradient[c] += nextGradient[c];
        }
        rows.ifPresent(own -> own.add(next.rows.orElseThrow(), gradient, 0));
        additions += next.additions + (next.additions > 0 ? 1 : 0);
        reach += next.reach;
        error += next.error;
        slack += next.slack;
    }

    /** Bounds the rounding errors in the margins of some samples. */
    void bound(int from, int to, double[] margins, double[] slopes) {
        Dataset data = problem.data();
        for (int j = from; j < to; j++) {
            int row = problem.row(j);
            double label = data.label(row);
            double distance = Rounding.ofMargin(
                    data.end(row) - data.start(row),
                    rows.orElseThrow().length(j) * length,
                    Math.abs(label) + loss.tolerance());
            double below = loss.derivative(margins[j] - distance, label);
            double above = loss.derivative(margins[j] + distance, label);
            double weight = data.weight(row);
            error += weight * distance * Math.max(Math.abs(below), Math.abs(above));
            slack += weight * distance * Math.max(Math.abs(slopes[j] - below), Math.abs(above - slopes[j]));
        }
    }

    @Override
    public void state(State s) throws IOException {
        additions = s.number(additions);
        reach = s.number(reach);
    }
}
