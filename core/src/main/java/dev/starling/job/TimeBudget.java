package dev.starling.job;

import dev.starling.settings.Settings;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * A time limit that several problems share. Of several classes each problem, when it starts, gets an equal share of the
 * time left, since a model needs them all. The problems of a path may each take all that is left: a path that ends
 * early has fewer of them.
 */
public final class TimeBudget implements TrainingListener {

    private final double nanos;
    private final boolean shared;
    private final LongSupplier clock;
    private final long start;
    private volatile double spentAt;

    /**
     * Creates a budget whose clock starts now.
     *
     * @param settings which have the whole budget
     * @param spent seconds already used by an earlier process that this one resumes
     */
    public TimeBudget(Settings settings, double spent) {
        this(settings, spent, System::nanoTime);
    }

    TimeBudget(Settings settings, double spent, LongSupplier clock) {
        this.nanos = settings.maxSeconds() * 1e9;
        this.shared = !settings.path().isPresent();
        this.clock = clock;
        this.start = clock.getAsLong() - (long) (spent * 1e9);
        this.spentAt = nanos;
    }

    @Override
    public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
        double passed = clock.getAsLong() - start;
        spentAt = shared ? passed + Math.max(0, nanos - passed) / (count - index) : nanos;
    }

    /** Whether the current problem has used up its share. */
    public boolean isSpent() {
        return clock.getAsLong() - start >= spentAt;
    }
}
