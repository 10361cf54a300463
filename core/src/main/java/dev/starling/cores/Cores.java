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

    /** What helps a thread that is not a worker. */
    private static final ThreadLocal<Cores> LENT = new ThreadLocal<>();

    private final ForkJoinPool pool;

    /** Creates cores with at most this many threads. */
    public Cores(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads; there must be at least one");
        }
        this.pool = new ForkJoinPool(
                threads, Worker::new, null, true, threads, threads, 0, null, IDLE_SECONDS, TimeUnit.SECONDS);
    }

    /** How many threads the caller's loops may use; 1 outside of {@link #call}. */
    public static int here() {
        Cores cores = ofCaller();
        return cores == null ? 1 : cores.threads();
    }

    /** Those that the caller may use, or null. */
    static Cores ofCaller() {
        Cores lent = LENT.get();
        return lent == null && Thread.currentThread() instanceof Worker worker ? worker.cores() : lent;
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
        Cores before = LENT.get();
        LENT.set(this);
        return before == null ? LENT::remove : () -> LENT.set(before);
    }

    /** Starts something on one of the threads. */
    public <T> ForkJoinTask<T> start(Supplier<T> work) {
        return pool.submit(work::get);
    }

    /** Starts a task that nobody waits for, next to what the caller does if that is one of the threads. */
    void start(ForkJoinTask<?> task) {
        if (ForkJoinTask.getPool() == pool) {
            task.fork();
        } else {
            pool.execute(task);
        }
    }

    /** One of the threads. */
    private final class Worker extends ForkJoinWorkerThread {

        Worker(ForkJoinPool pool) {
            super(pool);
        }

        @Override
        protected void onStart() {
            super.onStart();
            setName("starling-worker-" + getPoolIndex());
        }

        Cores cores() {
            return Cores.this;
        }
    }
}
