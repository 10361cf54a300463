package dev.starling.lab.localised;

import dev.starling.internal.Vectors;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/**
 * The point around which losses are trusted, and how far: a point that is worse than the one before is given up for
 * that, with twice the radius.
 */
final class Centre implements Stateful {

    private static final double FIRST_RADIUS = 2;
    private static final double LARGEST_RADIUS = 64;

    /** Approaches end when one lowers the objective by no more than this part of it. */
    private static final double NEAR = 0.4;

    /** The number of stages before this one. */
    int number;

    double radius = FIRST_RADIUS;
    final double[] point;
    private final double[] before;
    private double objective = Double.POSITIVE_INFINITY;

    /** Whether the stage is worth its certificates. */
    boolean near;

    Centre(double... start) {
        this.point = start.clone();
        this.before = start.clone();
    }

    /** Whether nothing is known of any point yet. */
    boolean isFirst() {
        return objective == Double.POSITIVE_INFINITY;
    }

    /** Whether losses are trusted everywhere, as in plain ADFS. */
    boolean isEverywhere() {
        return radius == Double.POSITIVE_INFINITY;
    }

    /**
     * Accepts the point if its objective is no worse than that of the one before, and otherwise returns to that one.
     */
    boolean accepts(double value) {
        if (!(value <= objective)) {
            Vectors.copy(before, point);
            widen();
            return false;
        }
        near |= objective - value <= NEAR * value || isEverywhere();
        objective = value;
        return true;
    }

    /** Moves to the mean of the nodes' points, given their sum; stays, with twice the radius, if that is too large. */
    void move(double[] sum, int nodes, boolean tooLarge) {
        Vectors.copy(point, before);
        for (int c = 0; c < point.length && !tooLarge; c++) {
            point[c] = sum[HiddenSum.HEAD + c] / nodes;
        }
        number++;
        if (tooLarge) {
            widen();
        }
    }

    private void widen() {
        radius = 2 * radius > LARGEST_RADIUS ? Double.POSITIVE_INFINITY : 2 * radius;
        objective = Double.MAX_VALUE;
        near = false;
    }

    @Override
    public void state(State s) throws IOException {
        number = s.number(number);
        radius = s.number(radius);
        s.vector(point);
        s.vector(before);
        objective = s.number(objective);
        near = s.flag(near);
    }
}
