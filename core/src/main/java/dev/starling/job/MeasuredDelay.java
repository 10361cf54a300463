package dev.starling.job;

import dev.starling.data.InvalidInputException;
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
     * @throws InvalidInputException if these are not times, which only a faulty node would say
     */
    public static double of(double[] slowest) {
        if (!(slowest[0] > 0 && slowest[1] >= 0 && Double.isFinite(slowest[1] / slowest[0]))) {
            throw new InvalidInputException("the slowest step and message are said to take " + slowest[0] + " and "
                    + slowest[1] + " microseconds; give training.tau at all sites, or find the faulty one");
        }
        double tau = Math.max(SMALLEST, slowest[1] / slowest[0]);
        return new BigDecimal(tau).round(new MathContext(2)).doubleValue();
    }
}
