package dev.starling.verify.loss;

import java.util.function.DoubleUnaryOperator;

/** Half the deviance of a family of distributions, whose labels have units of their own. */
sealed interface Deviance extends CheckedLoss permits Counts, Shares, Lifetimes, Undualised {

    /** More steps than bisection alone would take. */
    int MOST_STEPS = 200;

    @Override
    default double roundness() {
        return 0;
    }

    @Override
    default boolean isClassification() {
        return false;
    }

    @Override
    default boolean scalesLabels() {
        return false;
    }

    /** Repeats a step of Newton's method until it changes nothing but the last bit. */
    static double settled(double start, DoubleUnaryOperator step) {
        double at = start;
        for (int k = 0; k < MOST_STEPS; k++) {
            double next = step.applyAsDouble(at);
            boolean still = Math.abs(next - at) <= 0x1p-52 * Math.abs(at);
            at = next;
            if (still) {
                break;
            }
        }
        return at;
    }

    /**
     * Newton's method on s = f(s) for a falling f, between ends at which the difference has two signs; every third step
     * halves what is left, so that it cannot cycle.
     *
     * @param least the smallest slope
     * @param largest the largest slope
     * @param slopeAfter f: the slope of the loss after a step against s; without one, f is the slope at the point
     * @param bend the curvature of the loss where its slope is a given one
     */
    static double between(
            double least, double largest, double step, DoubleUnaryOperator slopeAfter, DoubleUnaryOperator bend) {
        double low = least;
        double high = largest;
        double slope = slopeAfter.applyAsDouble(0);
        for (int k = 0; k < MOST_STEPS; k++) {
            double there = slopeAfter.applyAsDouble(slope);
            double error = slope - there;
            if (error > 0) {
                high = slope;
            } else {
                low = slope;
            }
            double next = slope - error / (1 + step * bend.applyAsDouble(there));
            boolean within = next >= low && next <= high;
            if (within && Math.abs(next - slope) <= 0x1p-52 * Math.abs(slope)) {
                return next;
            }
            slope = within && k % 3 < 2 ? next : (low + high) / 2;
        }
        return slope;
    }
}
