package dev.starling.method.sums;

import dev.starling.certificate.Certificate;
import java.util.Optional;

/**
 * What follows from the totals of a sum: what they proved, and what to sum next. Each method adds the details it needs.
 */
public interface Decision {

    /**
     * Returns the number of sums so far plus the number of times the run was told to finish early. No two decisions of
     * a run have the same number.
     */
    int number();

    /** Returns what the last sum proved, if anything. */
    Optional<Certificate> certificate();

    /** Returns whether that sum was the last one. */
    boolean ended();

    /** Returns the point at which the next sum is taken. It must not be modified. */
    double[] point();

    /** Returns the number of passes over all samples so far. */
    double epochs();
}
