package dev.starling.cores;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A number of threads for {@link Loops}: those in what is called here use all of them, the caller's own included.
 * Threads are started when loops need them, and end when none has for a while.
 */
public final class Cores {

    private static final long IDLE_SECONDS = 10;

    /** The threads that help the present one, which is not one of them. */
    private static final ThreadLocal<ForkJoinPool> HELPERS = new ThreadLocal<>();

    private final ForkJoinPool pool;

    /** Creates cores with at most this many threads. */
    public Cores(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads; there must be at least one");
        }
        this.pool = new ForkJoinPool(
                threads, Cores::thread, null, true, threads, threads, 0, null, IDLE_SECONDS, TimeUnit.SECONDS);
    }

    private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        thread.setName("starling-worker-" + thread.getPoolIndex());
        return thread;
    }

    /** How many threads the caller's loops may use; 1 outside of {@link #call}. */
    public static int here() {
        ForkJoinPool pool = helpers();
        return pool == null ? 1 : pool.getParallelism();
    }

    /** The threads that may help the caller, or null. */
    static ForkJoinPool helpers() {
        ForkJoinPool lent = HELPERS.get();
        return lent == null ? ForkJoinTask.getPool() : lent;
    }

    /** The number of threads. */
    public int threads() {
        return pool.getParallelism();
    }

    /** Calls something on the present thread, whose loops the others help with, and returns its result. */
    public <T> T call(Supplier<T> work) {
        Runnable end = lend();
        try {
            return work.get();
        } finally {
            end.run();
        }
    }

    /** Lets the others help with the loops of the present thread, until it runs what is returned. */
    public Runnable lend() {
        ForkJoinPool before = HELPERS.get();
        HELPERS.set(pool);
        return before == null ? HELPERS::remove : () -> HELPERS.set(before);
    }

    /** Starts something on one of the threads. */
    public <T> ForkJoinTask<T> start(Supplier<T> work) {
        return pool.submit(work::get);
    }
}
