package dev.starling.job;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The delay τ that nodes agree on from their own measurements. A driver answers {@link #QUESTION} with the time of a
 * proximal step and of a message on its slowest link, in microseconds.
 */
public final class MeasuredDelay {

    /** The question that every node asks its driver. */
    public static final String QUESTION = "microseconds of a step and of a message";

    /** The smallest delay, in proximal steps. */
    private static final double SMALLEST = 1;

    private MeasuredDelay() {}

    /**
     * The time of the slowest link divided by that of the slowest step, since everyone waits for both; rounded to two
     * digits.
     *
     * @param slowest the entrywise maximum of all nodes' answers
     */
    public static double of(double[] slowest) {
        double tau = Math.max(SMALLEST, slowest[1] / slowest[0]);
        return new BigDecimal(tau).round(new MathContext(2)).doubleValue();
    }
}
