package dev.starling.runtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Asks a run to stop early: on request, at a deadline, or when the thread is interrupted. Nodes are stopped only
 * between exchanges; the signal may cut a run short but never changes what it computes.
 */
public final class StopSignal {

    private final AtomicBoolean requested;
    private final BooleanSupplier condition;

    private StopSignal(AtomicBoolean requested, BooleanSupplier condition) {
        this.requested = requested;
        this.condition = condition;
    }

    /** A signal that is raised by {@link #request}, or by an interrupt of the asking thread. */
    public static StopSignal manual() {
        return new StopSignal(new AtomicBoolean(), () -> false);
    }

    /** A signal that is raised when this one is, or when a condition holds, which may be evaluated on any thread. */
    public StopSignal or(BooleanSupplier other) {
        return new StopSignal(requested, () -> condition.getAsBoolean() || other.getAsBoolean());
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
