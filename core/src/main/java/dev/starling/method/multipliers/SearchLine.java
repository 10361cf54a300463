package dev.starling.method.multipliers;

import dev.starling.internal.Vectors;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/**
 * The line along which the next step is made, and the search for the minimum of the smoothed problem along it, from its
 * slopes at a few trial steps at a time.
 *
 * <p>If the slopes at two neighbouring steps a &lt; b ≤ 2a have different signs, the result is the zero t of the line
 * through them. The function is then no higher than at the start: f(t) − f(a) ≤ (t − a) f'(b) ≤ (b − a) |f'(a)| ≤ a
 * |f'(a)| ≤ f(0) − f(a).
 */
final class SearchLine implements Stateful {

    /** The number of steps that are tried at once. */
    static final int TRIALS = 8;

    private static final int MOST_ROUNDS = 8;

    /** The first trial steps are powers of two up to this. */
    private static final double LONGEST = 2;

    private final Penalty penalty;
    private final boolean cautious;
    private final double[] direction;
    private final double[] origin;
    private final double[] originGradient;
    private final double[] trials = new double[TRIALS];
    private double low;
    private double lowSlope;
    private double high;
    private double highSlope;
    private int rounds;
    private double step;

    /**
     * Creates a line that has not begun.
     *
     * @param cautious whether the slopes may be too small, so that they must not make the search go beyond the first
     *     trial steps
     */
    SearchLine(Penalty penalty, int features, boolean cautious) {
        this.penalty = penalty;
        this.cautious = cautious;
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
        low = 0;
        lowSlope = slope;
        high = Double.POSITIVE_INFINITY;
        rounds = 0;
        spread(LONGEST);
        return true;
    }

    private void spread(double longest) {
        for (int k = 0; k < TRIALS; k++) {
            trials[k] = Math.scalb(longest, k + 1 - TRIALS);
        }
    }

    double[] direction() {
        return direction.clone();
    }

    /** The steps to try next, in ascending order. */
    double[] trials() {
        return trials.clone();
    }

    /** Whether nodes have already multiplied their rows by the direction. */
    boolean hasLooked() {
        return rounds > 0;
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
        rounds++;
        for (int k = 0; k < TRIALS; k++) {
            double slope = HiddenSum.isTooLarge(totals)
                    ? Double.POSITIVE_INFINITY
                    : totals[GradientLayout.FIRST + k] / weight
                            + penalty.lambda() * Math.fma(trials[k], squares, along)
                            + penalty.kinkSlope(origin, direction, trials[k]);
            if (!(slope <= 0)) {
                high = trials[k];
                highSlope = slope;
                break;
            }
            low = trials[k];
            lowSlope = slope;
        }
        spread(high == Double.POSITIVE_INFINITY ? Math.scalb(low, TRIALS) : high / 2);
        step = isDone() ? found() : 0;
        return isDone();
    }

    private boolean isDone() {
        boolean bracketed = high < Double.POSITIVE_INFINITY || lowSlope == 0 || cautious;
        return (low > 0 && bracketed) || rounds == MOST_ROUNDS;
    }

    private double found() {
        // A full step takes some weights exactly to 0 where there is an l1 term. There, too, the function is no higher
        // than at the start: f(1) − f(½) ≤ ½ f'(1) ≤ ½ |f'(½)| ≤ f(0) − f(½).
        if (!penalty.isSmooth() && (low == 1 || (high == 1 && low == 0.5 && highSlope <= -lowSlope))) {
            return 1;
        }
        boolean between = high < Double.POSITIVE_INFINITY && highSlope < Double.POSITIVE_INFINITY;
        return low > 0 && between ? low + (high - low) * (lowSlope / (lowSlope - highSlope)) : low;
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
        s.vector(trials);
        low = s.number(low);
        lowSlope = s.number(lowSlope);
        high = s.number(high);
        highSlope = s.number(highSlope);
        rounds = s.number(rounds);
        step = s.number(step);
    }
}
