package dev.starling.cores;

import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Loops whose iterations may run at the same time, on the caller's {@link Cores}. Iterations must not depend on each
 * other, nor may what is made of their results depend on the order in which they ran, nor their number on that of the
 * threads. Then any number of threads gives the same bits.
 */
public final class Loops {

    /** How many numbers an iteration should visit: enough that starting it, a few microseconds, costs nothing. */
    private static final int NUMBERS = 1 << 18;

    private static final int FEWEST_ROWS = 1 << 10;
    private static final int MOST_ROWS = 1 << 16;

    private static final int SPINS = 2000;
    private static final int YIELDS = 200;
    private static final long NAP_NANOS = 50_000;

    private Loops() {}

    /** An action on some rows. */
    @FunctionalInterface
    public interface Range {
        /** Acts on the rows from, …, to − 1. */
        void over(int from, int to);
    }

    /**
     * How many rows an iteration should have.
     *
     * @param numbers how many numbers of a row it visits
     */
    public static int rows(double numbers) {
        int rows = Integer.highestOneBit((int) (NUMBERS / Math.max(1, numbers)));
        return Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, rows));
    }

    /** Acts on all rows, so many at a time. */
    public static void overRows(int rows, int atATime, Range action) {
        run(count(rows, atATime), action.getClass(), block -> {
            int from = block * atATime;
            action.over(from, from + Math.min(atATime, rows - from));
        });
    }

    /** How many times so many rows there are. */
    static int count(int rows, int atATime) {
        return (int) ((rows + (long) atATime - 1) / atATime);
    }

    /**
     * Runs the iterations 0, …, count − 1, which start in this order, and returns when all have ended. If some fail,
     * none later than the first of them is started, and what that one threw is thrown.
     */
    public static void run(int count, IntConsumer body) {
        run(count, body.getClass(), body);
    }

    /**
     * The same. The caller begins alone where code is new.
     *
     * @param code tells loops with different code apart
     */
    static void run(int count, Class<?> code, IntConsumer body) {
        Cores cores = Cores.ofCaller();
        int helpers = cores == null ? 0 : Math.min(cores.threads(), count) - 1;
        if (helpers <= 0) {
            for (int k = 0; k < count; k++) {
                body.accept(k);
            }
            return;
        }
        Loop loop = new Loop(count, body);
        loop.begin(NewCode.of(code));
        Helper helper = new Helper(loop, helpers);
        if (loop.isLeft()) {
            cores.start(helper);
        }
        loop.work();
        loop.awaitOthers();
        // One that nobody has started would otherwise stay in the queue.
        helper.tryUnfork();
    }

    /** Runs iterations of a loop that somebody else has begun on the caller's cores; returns whether there were any. */
    public static boolean help() {
        return ForkJoinTask.inForkJoinPool() && Helper.poll();
    }

    /** Waits for the next time: first busily, so many times, then by letting others run, and at last asleep. */
    public static void rest(int times, int spins) {
        if (times < spins) {
            Thread.onSpinWait();
        } else if (times < spins + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** One loop. */
    private static final class Loop {
        private final int count;
        private final IntConsumer body;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();
        private volatile int failed = Integer.MAX_VALUE;
        private Throwable failure;

        Loop(int count, IntConsumer body) {
            this.count = count;
            this.body = body;
        }

        boolean isLeft() {
            return next.get() < count;
        }

        /** Runs iterations until their code is no longer new. */
        void begin(NewCode code) {
            while (code.isNew() && isLeft()) {
                code.inTurn(this::workOnce);
            }
        }

        void work() {
            while (isLeft()) {
                workOnce();
            }
        }

        private void workOnce() {
            int k = next.getAndIncrement();
            if (k >= count) {
                return;
            }
            try {
                if (k < failed) {
                    body.accept(k);
                }
            } catch (Throwable t) {
                fail(k, t);
            } finally {
                ended.getAndIncrement();
            }
        }

        /** Iterations start in their order, so the first that fails is the same whatever the number of threads. */
        private synchronized void fail(int k, Throwable t) {
            if (k < failed) {
                failed = k;
                failure = t;
            }
        }

        /** Iterations are short, so waiting for the last ones is cheaper than doing something else meanwhile. */
        void awaitOthers() {
            for (int times = 0; ended.get() < count; times++) {
                rest(times, SPINS);
            }
            synchronized (this) {
                if (failure instanceof Error error) {
                    throw error;
                }
                if (failure != null) {
                    throw (RuntimeException) failure;
                }
            }
        }
    }

    /** Brings a number of threads to a loop: every thread wakes others before it starts itself. */
    private static final class Helper extends RecursiveAction {

        private static final long serialVersionUID = 1;

        private final transient Loop loop;
        private final int threads;

        Helper(Loop loop, int threads) {
            this.loop = loop;
            this.threads = threads;
        }

        @Override
        protected void compute() {
            for (int rest = threads; rest > 1 && loop.isLeft(); rest -= rest / 2) {
                new Helper(loop, rest / 2).fork();
            }
            loop.work();
        }

        static boolean poll() {
            ForkJoinTask<?> task = pollTask();
            if (task instanceof Helper helper) {
                boolean left = helper.loop.isLeft();
                helper.invoke();
                return left;
            }
            if (task != null) {
                task.fork();
            }
            return false;
        }
    }
}
