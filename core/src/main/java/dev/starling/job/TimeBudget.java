package dev.starling.job;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** A time limit that several problems share: each problem, when it starts, gets an equal share of the time left. */
public final class TimeBudget implements TrainingListener {

    private final double nanos;
    private final LongSupplier clock;
    private final long start;
    private volatile double spentAt;

    /**
     * Creates a budget whose clock starts now.
     *
     * @param seconds the whole budget
     * @param spent seconds already used by an earlier process that this one resumes
     */
    public TimeBudget(double seconds, double spent) {
        this(seconds, spent, System::nanoTime);
    }

    TimeBudget(double seconds, double spent, LongSupplier clock) {
        this.nanos = seconds * 1e9;
        this.clock = clock;
        this.start = clock.getAsLong() - (long) (spent * 1e9);
        this.spentAt = nanos;
    }

    @Override
    public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
        double passed = clock.getAsLong() - start;
        spentAt = passed + Math.max(0, nanos - passed) / (count - index);
    }

    /** Whether the current problem has used up its share. */
    public boolean isSpent() {
        return clock.getAsLong() - start >= spentAt;
    }
}
