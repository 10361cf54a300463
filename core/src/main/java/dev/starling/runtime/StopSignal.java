package dev.starling.runtime;

/**
 * Asks a run to stop before its own end: at a deadline, or when someone says so. Nodes heed it between exchanges, and
 * the result of a run is never changed by it, only cut short.
 */
public final class StopSignal {

    private volatile boolean requested;
    private final long deadline;

    private StopSignal(long deadline) {
        this.deadline = deadline;
    }

    /** A signal with no deadline. */
    public static StopSignal manual() {
        return new StopSignal(Long.MAX_VALUE);
    }

    /** A signal that goes off after so many seconds from now. */
    public static StopSignal after(double seconds) {
        double nanos = seconds * 1e9;
        return nanos >= Long.MAX_VALUE / 4 ? manual() : new StopSignal(System.nanoTime() + (long) nanos);
    }

    /** Asks the run to stop. */
    public void request() {
        requested = true;
    }

    /** Whether the run should stop. */
    public boolean isRaised() {
        return requested
                || deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0
                || Thread.currentThread().isInterrupted();
    }
}
