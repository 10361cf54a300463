package dev.starling;

import dev.starling.certificate.Certificate;
import java.util.function.DoubleSupplier;

/** Hears how training goes. Called on the thread that drives the first node: it should return at once. */
public interface TrainingListener {

    /** Nobody listens. */
    TrainingListener NONE = new TrainingListener() {};

    /**
     * A problem is about to be solved: the only one, or one class against the rest.
     *
     * @param index its number, from 0
     * @param count how many there are
     * @param preparation what it will be solved with
     * @param epochs gives the epochs done so far, at any time and on any thread
     */
    default void started(int index, int count, Preparation preparation, DoubleSupplier epochs) {}

    /**
     * A certificate was made.
     *
     * @param epochsLeft epochs until the gap asked for, as predicted from the rate; 0 if the run ends here
     */
    default void certified(Certificate certificate, double epochsLeft) {}
}
