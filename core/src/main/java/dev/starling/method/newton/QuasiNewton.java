package dev.starling.method.newton;

import dev.starling.node.State;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.io.IOException;

/**
 * L-BFGS, for too many features for a Hessian: the Hessian is approximated from the last few gradients, and by a
 * diagonal matrix where these say nothing. Each trial step takes one pass; usually the first trial is accepted.
 *
 * <p>A step has to lower the objective and flatten its slope (Wolfe's conditions), which makes the method converge from
 * any starting point. Where the decrease of the objective is lost in rounding, it is judged by the slopes at both ends
 * of the step.
 */
final class QuasiNewton extends Newton {

    /** The part of the slope that may remain after a step; if more remains, the step is too short. */
    private static final double FLATTER = 0.9;

    /** A step that is too short grows by this factor: its slope has lost less than a tenth, and would be 0 beyond. */
    private static final double GROWTH = 10;

    /** After this many trials rounding must be the limit, and the approximate Hessian is discarded. */
    private static final int MOST_TRIALS = 30;

    private final DiagonalHessian diagonal;

    /** Whether the next pass computes the initial diagonal. */
    private boolean diagonalWanted;

    private boolean fresh = true;
    private double originSlope;
    private double step;
    private int trials;

    /* The longest step known to be too short and the shortest known to be too long, with the objectives and slopes there. */
    private double low;
    private double lowObjective;
    private double lowSlope;
    private double high;
    private double highObjective;
    private double highSlope;

    /**
     * Creates the method at its start.
     *
     * @param scaled whether the first pass computes the diagonal of the Hessian
     */
    QuasiNewton(PassLayout layout, double lambda, boolean scaled) {
        super(layout, lambda);
        this.diagonal = new DiagonalHessian(parameters);
        this.diagonalWanted = scaled;
    }

    @Override
    PassSums passSums() {
        return diagonalWanted ? PassSums.DIAGONAL : PassSums.GRADIENT;
    }

    @Override
    void take(double[] sums) {
        take(sums, lambda, false);
        if (diagonalWanted) {
            diagonal.begin(sums, layout.hessian(), lambda * sums[PassLayout.WEIGHT]);
            diagonalWanted = false;
        }
    }

    @Override
    void advance() {
        if (!fresh && !isAccepted()) {
            return;
        }
        if (!fresh) {
            remember();
        }
        settle();
        originSlope = chooseDirection();
        // The first step is the one that would bring the objective to 0 if it were linear: right up to a factor,
        // whatever the scale of the features.
        step = memory.isEmpty() ? objective() / -originSlope : 1;
        low = 0;
        lowObjective = objective();
        lowSlope = originSlope;
        high = Double.POSITIVE_INFINITY;
        trials = 0;
        fresh = false;
        move(step);
    }

    @Override
    void precondition(double[] vector) {
        diagonal.divide(vector);
    }

    @Override
    void remember() {
        if (memory.add(origin, theta, originGradient, gradient)) {
            diagonal.learn(memory.newestStep(), memory.newestChange());
        }
    }

    /** Returns whether the step is accepted; if not, moves θ to the next trial. */
    private boolean isAccepted() {
        double slope = slope();
        if (Double.isNaN(slope) || !isLower(slope)) {
            high = step;
            highObjective = objective();
            highSlope = slope;
        } else if (slope < FLATTER * originSlope) {
            low = step;
            lowObjective = objective();
            lowSlope = slope;
        } else {
            return true;
        }
        if (++trials == MOST_TRIALS) {
            memory.clear();
            fresh = true;
            goBack();
        } else {
            step = high == Double.POSITIVE_INFINITY ? step * GROWTH : between();
            move(step);
        }
        return false;
    }

    private boolean isLower(double slope) {
        boolean flattened = slope <= (2 * SUFFICIENT_DECREASE - 1) * originSlope;
        return objective() <= originObjective() + SUFFICIENT_DECREASE * step * originSlope
                || (flattened && objective() <= originObjective() + ROUNDING * originObjective());
    }

    /** Returns the step at which the cubic that fits both ends has its minimum. */
    private double between() {
        double length = high - low;
        return low + length * lowest(length, lowObjective, lowSlope, highObjective, highSlope);
    }

    @Override
    public void state(State s) throws IOException {
        super.state(s);
        diagonal.state(s);
        diagonalWanted = s.flag(diagonalWanted);
        fresh = s.flag(fresh);
        trials = s.number(trials);
        originSlope = s.number(originSlope);
        step = s.number(step);
        low = s.number(low);
        lowObjective = s.number(lowObjective);
        lowSlope = s.number(lowSlope);
        high = s.number(high);
        highObjective = s.number(highObjective);
        highSlope = s.number(highSlope);
    }
}
