package dev.starling.runtime;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks a run to stop before its own end: at a deadline, or when someone says so. Nodes heed it between exchanges, and
 * the result of a run is never changed by it, only cut short.
 */
public final class StopSignal {

    private final AtomicBoolean requested;
    private final long deadline;

    private StopSignal(AtomicBoolean requested, long deadline) {
        this.requested = requested;
        this.deadline = deadline;
    }

    /** A signal with no deadline. */
    public static StopSignal manual() {
        return new StopSignal(new AtomicBoolean(), Long.MAX_VALUE);
    }

    /** A signal that is raised when this one is, and in any case so many seconds from now. */
    public StopSignal andAfter(double seconds) {
        double nanos = seconds * 1e9;
        return nanos >= 0x1p61 ? this : new StopSignal(requested, System.nanoTime() + (long) nanos);
    }

    /** Asks the run to stop. */
    public void request() {
        requested.set(true);
    }

    /** Whether the run should stop. */
    public boolean isRaised() {
        return requested.get()
                || (deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0)
                || Thread.currentThread().isInterrupted();
    }
}
