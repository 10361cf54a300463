package dev.starling;

import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import java.util.function.DoubleSupplier;

/** Seconds that problems share: whenever one begins, it gets an equal part of what is left. */
final class TimeBudget implements TrainingListener {

    private final double nanos;
    private final long start = System.nanoTime();
    private volatile double spentAt;

    TimeBudget(double seconds) {
        this.nanos = seconds * 1e9;
        this.spentAt = nanos;
    }

    @Override
    public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
        double passed = System.nanoTime() - start;
        spentAt = passed + Math.max(0, nanos - passed) / (count - index);
    }

    /** Whether the present problem has had its part. */
    boolean isSpent() {
        return System.nanoTime() - start >= spentAt;
    }
}
