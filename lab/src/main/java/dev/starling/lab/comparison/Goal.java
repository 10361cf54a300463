package dev.starling.lab.comparison;

import java.util.OptionalDouble;

/**
 * When a method may stop.
 *
 * @param suboptimality a relative suboptimality; 0 for none
 * @param gradient a norm of the objective's gradient, at every watched node
 */
record Goal(double suboptimality, OptionalDouble gradient) {

    /** The same goal, but no finer than the uncertainty of the optimum. */
    Goal notBelow(double noise) {
        return gradient.isPresent() ? this : new Goal(Math.max(suboptimality, noise), gradient);
    }

    boolean isReached(Point point) {
        return gradient.isPresent()
                ? point.gradient() <= gradient.getAsDouble()
                : point.suboptimality() <= suboptimality;
    }
}
