package dev.starling.job;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The delay τ that nodes agree on from what each has measured. A driver that answers {@link #QUESTION} gives the
 * microseconds of a proximal step and of a message on its slowest link.
 */
public final class MeasuredDelay {

    /** What every node asks its driver. */
    public static final String QUESTION = "microseconds of a step and of a message";

    /** A delay is at least this, in proximal steps. */
    private static final double SMALLEST = 1;

    private MeasuredDelay() {}

    /**
     * The slowest link in units of the slowest step, since everyone waits for both, to two digits.
     *
     * @param slowest the largest of every node's answers, entry by entry
     */
    public static double of(double[] slowest) {
        double tau = Math.max(SMALLEST, slowest[1] / slowest[0]);
        return new BigDecimal(tau).round(new MathContext(2)).doubleValue();
    }
}
