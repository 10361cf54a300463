package dev.starling.runtime;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.node.NodeProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * Drives the nodes on threads of this process: at most one worker per node, and if there are more nodes than workers,
 * the nodes are divided evenly among them. Nodes interact only through messages, so neither the number of threads nor
 * their timing changes a bit of the result.
 *
 * <p>Several workers that mostly wait for each other, as on a machine that is busy with other things, are slower than a
 * single one. In that case one worker drives all nodes for a while.
 */
public final class Threads implements Runner {

    private static final int SPINS = 500;
    private static final int YIELDS = 200;
    private static final long NAP_NANOS = 50_000;

    /**
     * The first period, in nanoseconds, after which it is checked whether several workers paid off; it doubles if they
     * did.
     */
    private static final long SHORTEST_PERIOD = 50_000_000;

    private static final long LONGEST_PERIOD = 1_000_000_000;

    /** If several workers did not pay off, one works alone for this many times the period after which that was seen. */
    private static final int TIMES_ALONE = 20;

    private final int workers;
    private final AtomicLong nanosAlone;

    /** Creates a runner with as many workers as the machine has cores. */
    public Threads() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /** Creates a runner with at most this many workers. */
    public Threads(int workers) {
        this(workers, Duration.ZERO);
    }

    /**
     * Creates a runner with at most this many workers, of which only one works at the start of the first run. In a
     * process that has just started, the JIT compiler makes better use of the other cores than workers whose code is
     * not compiled yet.
     *
     * @param alone how long only one worker works
     */
    public Threads(int workers, Duration alone) {
        if (workers < 1) {
            throw new IllegalArgumentException(workers + " workers; there must be at least one");
        }
        this.workers = workers;
        this.nanosAlone = new AtomicLong(alone.toNanos());
    }

    @Override
    public RunReport run(Network network, List<? extends NodeProgram> programs, Delays delays, StopSignal signal) {
        return new LocalRun(
                        network,
                        programs,
                        delays,
                        node -> Driver.Host.NONE,
                        (drivers, keepGoing) -> drive(drivers, keepGoing, signal))
                .run(signal);
    }

    private void drive(List<Driver> drivers, BooleanSupplier keepGoing, StopSignal signal) {
        int most = Math.min(workers, drivers.size());
        long alone = most > 1 ? nanosAlone.getAndSet(0) : Long.MAX_VALUE;
        int count = alone > 0 ? 1 : most;
        long nanos = alone > 0 ? alone : SHORTEST_PERIOD;
        boolean interrupted = false;
        while (keepGoing.getAsBoolean() && !drivers.stream().allMatch(Driver::isDone)) {
            Period period = drive(drivers, count, nanos, keepGoing, signal);
            interrupted |= period.interrupted;
            if (count == 1) {
                count = most;
                nanos = SHORTEST_PERIOD;
            } else if (period.busy > period.nanos) {
                nanos = Math.min(2 * nanos, LONGEST_PERIOD);
            } else {
                count = 1;
                nanos = TIMES_ALONE * period.nanos;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * How driving the nodes for some time went.
     *
     * @param interrupted whether the calling thread was interrupted
     * @param busy the total time that workers worked: if it is no longer than {@code nanos}, one worker could have done
     *     it alone
     * @param nanos the wall-clock time
     */
    private record Period(boolean interrupted, long busy, long nanos) {}

    /** Drives the nodes on this many workers, to their end or for this many nanoseconds. */
    private static Period drive(
            List<Driver> drivers, int count, long nanos, BooleanSupplier keepGoing, StopSignal signal) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicLong busy = new AtomicLong();
        // Spinning pays only while every worker has a core to itself.
        boolean spin = count <= Runtime.getRuntime().availableProcessors();
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        LongPredicate goesOn = now -> failure.get() == null && now - start < nanos && keepGoing.getAsBoolean();
        for (int worker = 0; worker < count; worker++) {
            List<Driver> mine = share(drivers, worker, count);
            Thread thread = new Thread(() -> drive(mine, goesOn, failure, busy, spin), "starling-worker-" + worker);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        boolean interrupted = join(threads, signal);
        if (failure.get() instanceof InvalidInputException objection) {
            throw objection;
        }
        if (failure.get() != null) {
            throw new IllegalStateException("a node failed: " + failure.get(), failure.get());
        }
        return new Period(interrupted, busy.get(), System.nanoTime() - start);
    }

    /** A worker gets nodes with consecutive numbers, since these are neighbours in most graphs. */
    private static List<Driver> share(List<Driver> drivers, int worker, int count) {
        int from = (int) ((long) drivers.size() * worker / count);
        int to = (int) ((long) drivers.size() * (worker + 1) / count);
        return drivers.subList(from, to);
    }

    /** Drives some of the nodes and adds the time that took, without waiting, to {@code busy}. */
    private static void drive(
            List<Driver> mine,
            LongPredicate goesOn,
            AtomicReference<Throwable> failure,
            AtomicLong busy,
            boolean spin) {
        long worked = 0;
        try {
            int idle = 0;
            boolean unfinished = true;
            long now = System.nanoTime();
            while (unfinished && goesOn.test(now)) {
                boolean progress = false;
                unfinished = false;
                for (Driver driver : mine) {
                    progress |= driver.tryProgress();
                    unfinished |= !driver.isDone();
                }
                idle = progress ? 0 : idle + 1;
                rest(idle, spin);
                long then = now;
                now = System.nanoTime();
                worked += progress ? now - then : 0;
            }
        } catch (Throwable t) {
            failure.compareAndSet(null, t);
        }
        busy.addAndGet(worked);
    }

    private static void rest(int idle, boolean spin) {
        if (idle == 0) {
            return;
        }
        if (spin && idle < SPINS) {
            Thread.onSpinWait();
        } else if (idle < SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    private static boolean join(List<Thread> threads, StopSignal signal) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    signal.request();
                }
            }
        }
        return interrupted;
    }
}
