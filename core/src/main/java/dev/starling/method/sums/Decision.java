package dev.starling.method.sums;

import dev.starling.certificate.Certificate;
import java.util.Optional;

/** What follows from the totals of a sum: what it proved, and what the next is to be. Methods add what that takes. */
public interface Decision {

    /** How many sums there were, and runs that were cut short; no two decisions of a run have the same. */
    int number();

    /** What the last sum proved, if anything. */
    Optional<Certificate> certificate();

    /** Whether that was the last. */
    boolean ended();

    /** Where the next sum is made. Nobody writes to it. */
    double[] point();

    /** Passes over all samples so far. */
    double epochs();
}
