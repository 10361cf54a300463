package dev.starling.method;

import dev.starling.certificate.Certificate;
import dev.starling.data.InvalidInputException;

/**
 * When a run may end: at the requested relative gap, or at a limit. Reaching a limit is not convergence and is never
 * reported as such.
 *
 * @param relativeGap the requested relative duality gap
 * @param maxEpochs passes over the samples after which a run ends whatever its gap, or as many rounds as
 *     {@link #mostRounds} says
 * @param timed whether every node asks its driver, before each sum, whether time is up ({@link #TIME_IS_UP})
 */
public record StoppingRule(double relativeGap, double maxEpochs, boolean timed) {

    /**
     * The question that the nodes of a timed run ask their drivers; the answer is 1 if the run should end here,
     * otherwise 0.
     */
    public static final String TIME_IS_UP = "time is up";

    private static final double SMALLEST_GAP = 1e-14;
    private static final double ROUNDS_PER_EPOCH = 1000;
    private static final double ROUNDS_PER_SAMPLE = 100;

    /** Validates the gap and the limit. */
    public StoppingRule {
        if (!(relativeGap > 0)) {
            throw new InvalidInputException("gap " + relativeGap + " must be positive, for example 1e-6");
        }
        if (relativeGap < SMALLEST_GAP) {
            throw new InvalidInputException("gap " + relativeGap + " is less than double precision can prove; use "
                    + SMALLEST_GAP + " or more");
        }
        if (!(maxEpochs > 0)) {
            throw new InvalidInputException("max-epochs " + maxEpochs + " must be positive");
        }
    }

    /** Creates a rule without a time limit. */
    public StoppingRule(double relativeGap, double maxEpochs) {
        this(relativeGap, maxEpochs, false);
    }

    /**
     * The most communication rounds of a run whose nodes have so many samples on average: where rounds far outnumber
     * passes, a limit on passes alone would never end it.
     */
    public double mostRounds(double samples) {
        return maxEpochs * (ROUNDS_PER_EPOCH + ROUNDS_PER_SAMPLE * samples);
    }

    /** Whether the certificate proves the requested gap. */
    public boolean isMet(Certificate certificate) {
        return certificate.relativeGap() <= relativeGap;
    }
}
