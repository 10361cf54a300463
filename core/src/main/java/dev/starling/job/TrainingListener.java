package dev.starling.job;

import dev.starling.certificate.Certificate;
import java.util.function.DoubleSupplier;

/**
 * Receives events about the progress of training. It is called on the thread that drives the node and should return
 * quickly.
 */
public interface TrainingListener {

    /** Ignores all events. */
    TrainingListener NONE = new TrainingListener() {};

    /**
     * Called when a problem is about to be solved: the only one, or one of several classes, values of λ and folds.
     *
     * @param index the index of the problem, from 0
     * @param count the number of problems
     * @param plan the plan that it will be solved with
     * @param epochs returns the epochs so far; may be called at any time, from any thread
     */
    default void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {}

    /**
     * Called when a certificate has been made.
     *
     * @param epochsLeft the predicted number of epochs until the requested gap; 0 if the run ends here
     */
    default void certified(Certificate certificate, double epochsLeft) {}

    /** A listener that passes all events to this one and then to another. */
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
