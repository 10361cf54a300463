package dev.starling.method.multipliers;

import dev.starling.internal.Vectors;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/** The line along which the next step is made: where it starts, its direction, and the search for the step. */
final class SearchLine implements Stateful {

    private final Penalty penalty;
    private final LineSearch search;
    private final double[] direction;
    private final double[] origin;
    private final double[] originGradient;
    private double step;

    /**
     * Creates a line that has not begun.
     *
     * @param cautious whether slopes may be too small, as in {@link LineSearch}
     */
    SearchLine(Penalty penalty, int features, boolean cautious) {
        this.penalty = penalty;
        this.search = new LineSearch(cautious, !penalty.isSmooth());
        this.direction = new double[features];
        this.origin = new double[features];
        this.originGradient = new double[features];
    }

    /** Begins a line from a point; returns whether it leads down there. */
    boolean begin(StepRule steps, double[] theta, double[] gradient, double objective) {
        double slope = steps.computeDirection(theta, gradient, objective, direction);
        if (!(slope < 0)) {
            return false;
        }
        Vectors.copy(theta, origin);
        Vectors.copy(gradient, originGradient);
        search.begin(slope);
        return true;
    }

    double[] direction() {
        return direction.clone();
    }

    /** The steps to try next, in ascending order. */
    double[] trials() {
        return search.trials();
    }

    /** Whether nodes have already multiplied their rows by the direction. */
    boolean hasLooked() {
        return search.hasLooked();
    }

    /** The step from the start of the line, in multiples of its direction; 0 if none leads down. */
    double step() {
        return step;
    }

    /**
     * Processes the totals of the losses' slopes at the trial steps.
     *
     * @return whether the search is over
     */
    boolean take(double[] totals, double weight) {
        double along = Vectors.dotInTurn(origin, direction, penalty.regularised());
        double squares = Vectors.dotInTurn(direction, direction, penalty.regularised());
        double[] trials = search.trials();
        double[] slopes = new double[trials.length];
        for (int k = 0; k < slopes.length; k++) {
            slopes[k] = HiddenSum.isTooLarge(totals)
                    ? Double.POSITIVE_INFINITY
                    : totals[GradientLayout.FIRST + k] / weight
                            + penalty.lambda() * Math.fma(trials[k], squares, along)
                            + penalty.kinkSlope(origin, direction, trials[k]);
        }
        search.take(slopes);
        step = search.isDone() ? search.step() : 0;
        return search.isDone();
    }

    /** Overwrites a point with that of the step. */
    void moveTo(double[] theta) {
        for (int c = 0; c < theta.length; c++) {
            theta[c] = Math.fma(step, direction[c], origin[c]);
        }
    }

    /** Makes the step shorter. */
    void halve() {
        step = step < Double.MIN_NORMAL ? 0 : step / 2;
    }

    /** Has the rule for steps learn from the one that was made. */
    void teach(StepRule steps, double[] theta, double[] gradient) {
        steps.remember(origin, theta, originGradient, gradient);
    }

    @Override
    public void state(State s) throws IOException {
        s.vector(direction);
        s.vector(origin);
        s.vector(originGradient);
        search.state(s);
        step = s.number(step);
    }
}
