package dev.starling.job;

import dev.starling.certificate.Certificate;
import java.util.function.DoubleSupplier;

/** Hears how training goes. Called on the thread that drives the node, so it should return at once. */
public interface TrainingListener {

    /** Nobody listens. */
    TrainingListener NONE = new TrainingListener() {};

    /**
     * A problem is about to be solved: the only one, or one class against the rest.
     *
     * @param index its number, from 0
     * @param count how many there are
     * @param plan what it will be solved with
     * @param epochs gives the epochs done so far, at any time and on any thread
     */
    default void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {}

    /**
     * A certificate was made.
     *
     * @param epochsLeft epochs until the gap asked for, as predicted from the rate; 0 if the run ends here
     */
    default void certified(Certificate certificate, double epochsLeft) {}

    /** Tells two listeners. */
    default TrainingListener and(TrainingListener other) {
        TrainingListener first = this;
        return new TrainingListener() {
            @Override
            public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
                first.started(index, count, plan, epochs);
                other.started(index, count, plan, epochs);
            }

            @Override
            public void certified(Certificate certificate, double epochsLeft) {
                first.certified(certificate, epochsLeft);
                other.certified(certificate, epochsLeft);
            }
        };
    }
}
