package dev.starling.runtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Asks a run to stop before its own end: at a deadline, or when someone says so. Nodes heed it between exchanges, and
 * the result of a run is never changed by it, only cut short.
 */
public final class StopSignal {

    private final AtomicBoolean requested;
    private final BooleanSupplier condition;

    private StopSignal(AtomicBoolean requested, BooleanSupplier condition) {
        this.requested = requested;
        this.condition = condition;
    }

    /** A signal that is raised by a request only. */
    public static StopSignal manual() {
        return new StopSignal(new AtomicBoolean(), () -> false);
    }

    /** A signal that is raised when this one is, and whenever a condition holds, asked on any thread. */
    public StopSignal or(BooleanSupplier other) {
        return new StopSignal(requested, () -> condition.getAsBoolean() || other.getAsBoolean());
    }

    /** A signal that is raised when this one is, and in any case the given number of seconds from now. */
    public StopSignal andAfter(double seconds) {
        double nanos = seconds * 1e9;
        long start = System.nanoTime();
        return nanos >= 0x1p61 ? this : or(() -> System.nanoTime() - start >= nanos);
    }

    /** Asks the run to stop. */
    public void request() {
        requested.set(true);
    }

    /** Whether the run should stop. */
    public boolean isRaised() {
        return requested.get()
                || condition.getAsBoolean()
                || Thread.currentThread().isInterrupted();
    }
}
