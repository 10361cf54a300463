package dev.starling.certificate;

import dev.starling.data.InvalidInputException;

/**
 * When a run may end: the relative gap asked for, or a limit on epochs. A limit is not convergence, and is reported as
 * what it is.
 */
public record StoppingRule(double relativeGap, double maxEpochs) {

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

    /** Whether the certificate proves what was asked for. */
    public boolean isMet(Certificate certificate) {
        return certificate.relativeGap() <= relativeGap;
    }
}
