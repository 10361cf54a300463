package dev.starling.certificate;

import dev.starling.data.InvalidInputException;

/**
 * When a run may end: the relative gap asked for, or a limit. A limit is not convergence, and is reported as what it
 * is.
 *
 * @param relativeGap the relative duality gap asked for
 * @param maxEpochs passes over the samples after which a run ends in any case
 * @param timed whether the root asks its driver, at every certificate, if time is up ({@link #TIME_IS_UP})
 */
public record StoppingRule(double relativeGap, double maxEpochs, boolean timed) {

    /** What the root of a timed run asks; the answer is 1 if it is to end here, otherwise 0. */
    public static final String TIME_IS_UP = "time is up";

    private static final double SMALLEST_GAP = 1e-14;

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

    /** A rule without a clock. */
    public StoppingRule(double relativeGap, double maxEpochs) {
        this(relativeGap, maxEpochs, false);
    }

    /** Whether the certificate proves what was asked for. */
    public boolean isMet(Certificate certificate) {
        return certificate.relativeGap() <= relativeGap;
    }
}
