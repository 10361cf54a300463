package dev.starling.method.multipliers;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/** γ, the width over which kinks are rounded: at first in units of the objective, then narrower and narrower. */
final class Band implements Stateful {

    /** The band narrows by this factor. */
    private static final double NARROWING = 2;

    /** The width of the first band, in units of the objective. */
    private static final double COLD_WIDTH = 1;

    /**
     * The same where there are many samples: with a hinge loss all of them are then held at the start, and the first
     * step is a least-squares step.
     */
    private static final double WIDTH_OF_MANY = 4;

    /** The same if a good starting point is known. */
    private static final double WARM_WIDTH = 0x1p-2;

    /** The band never becomes narrower than this part of the first one. */
    private static final double NARROWEST = 0x1p-40;

    private double unit;
    private double first;
    private double width = 1;

    Band(boolean many) {
        this.unit = many ? WIDTH_OF_MANY : COLD_WIDTH;
    }

    /** The start is close to the optimum, and so are the slopes there. */
    void beginNearOptimum() {
        unit = WARM_WIDTH;
    }

    /** γ. */
    double width() {
        return width;
    }

    /** Whether no objective is known yet, so that the width is arbitrary. */
    boolean isArbitrary() {
        return first == 0;
    }

    /**
     * Chooses the first band. Kinks are rounded over a distance in the units of the labels, which the first losses
     * reveal.
     *
     * @return whether the width has changed
     */
    boolean chooseFor(double objective) {
        first = objective > 0 ? unit * objective : width;
        boolean changes = width != first;
        width = first;
        return changes;
    }

    /** Takes a lower objective for the unit of the first band. */
    void limitTo(double objective) {
        if (objective > 0) {
            first = Math.min(first, objective);
        }
    }

    void narrow() {
        width = Math.max(Math.min(width / NARROWING, first), NARROWEST * first);
    }

    @Override
    public void state(State s) throws IOException {
        unit = s.number(unit);
        first = s.number(first);
        width = s.number(width);
    }
}
