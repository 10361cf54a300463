package dev.starling.cores;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Code that this process has not run for long. Until it is compiled for good, code counts how often it runs, and
 * threads that run it at the same time fight for the counters: sixteen of them take several times as long as one. So
 * they take turns until it has run for some time. Nothing but time depends on that.
 */
public final class NewCode {

    /** For how long code is new: compiling it takes about that long. */
    private static final long NANOS = 25_000_000;

    /**
     * Nobody waits for a turn longer than this many times as long: whoever has it may be waiting for something else.
     */
    private static final int PATIENCE = 4;

    private static final int SPINS = 500;

    private static final ClassValue<NewCode> OF = new ClassValue<>() {
        @Override
        protected NewCode computeValue(Class<?> code) {
            return new NewCode();
        }
    };

    /** Whether the present thread has a turn, within which it waits for no other. */
    private static final ThreadLocal<Boolean> HAS_A_TURN = ThreadLocal.withInitial(() -> false);

    private final long nanos;
    private final AtomicLong run = new AtomicLong();
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Code that has not run at all. */
    public NewCode() {
        this(NANOS);
    }

    /** Code that is new until it has run for so long. */
    NewCode(long nanos) {
        this.nanos = nanos;
    }

    /**
     * The code that a class stands for.
     *
     * @param code tells codes apart, as the class of a lambda does
     */
    static NewCode of(Class<?> code) {
        return OF.get(code);
    }

    /** Calls code, while it is new in turns with other threads, and returns its result. */
    public static <T> T call(Supplier<T> code) {
        AtomicReference<T> result = new AtomicReference<>();
        of(code.getClass()).inTurn(() -> result.set(code.get()));
        return result.get();
    }

    /** Whether the code has not yet run for long, so that threads should run it {@linkplain #inTurn in turn}. */
    boolean isNew() {
        return run.get() < nanos;
    }

    /** Runs some of the code, while it is new in turns with other threads. */
    public void inTurn(Runnable some) {
        if (!isNew()) {
            some.run();
            return;
        }
        boolean turn = !HAS_A_TURN.get() && awaitTurn();
        long start = System.nanoTime();
        try {
            some.run();
        } finally {
            run.addAndGet(System.nanoTime() - start);
            if (turn) {
                HAS_A_TURN.remove();
                taken.set(false);
            }
        }
    }

    /** Returns false if there is no need to take turns, or no more. */
    private boolean awaitTurn() {
        long start = System.nanoTime();
        for (int times = 0; isNew() && System.nanoTime() - start < PATIENCE * nanos; times++) {
            if (taken.compareAndSet(false, true)) {
                HAS_A_TURN.set(true);
                return true;
            }
            Loops.rest(times, SPINS);
        }
        return false;
    }
}
