package dev.starling;

import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import java.util.function.DoubleSupplier;

/** Seconds that problems share: whenever one begins, it gets an equal part of what is left. */
public final class TimeBudget implements TrainingListener {

    private final double nanos;
    private final long start;
    private volatile double spentAt;

    TimeBudget(double seconds) {
        this(seconds, 0);
    }

    /**
     * A budget that begins to run out now.
     *
     * @param spent seconds of it that were spent before, by a process that this one goes on from
     */
    public TimeBudget(double seconds, double spent) {
        this.nanos = seconds * 1e9;
        this.start = System.nanoTime() - (long) (spent * 1e9);
        this.spentAt = nanos;
    }

    @Override
    public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
        double passed = System.nanoTime() - start;
        spentAt = passed + Math.max(0, nanos - passed) / (count - index);
    }

    /** Whether the present problem has had its part. */
    public boolean isSpent() {
        return System.nanoTime() - start >= spentAt;
    }
}
