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
 * Drives the nodes on threads of this process: one worker per node up to the number of workers, and nodes beyond that
 * shared out evenly. Nodes see nothing of each other but messages, so thread count and timing change no bit.
 *
 * <p>Workers that wait for each other more than they work at the same time, as on a machine that is busy with other
 * things, are slower than one of them: then one drives all nodes for a while.
 */
public final class Threads implements Runner {

    private static final int SPINS = 500;
    private static final int YIELDS = 200;
    private static final long NAP_NANOS = 50_000;

    /** So long workers are watched at first, twice as long each time that they were worth it, up to the longest. */
    private static final long SHORTEST_STRETCH = 50_000_000;

    private static final long LONGEST_STRETCH = 1_000_000_000;

    /** One alone goes on for so many times as long as it took to see that several are not worth it. */
    private static final int TIMES_ALONE = 20;

    private final int workers;
    private final AtomicLong nanosAlone;

    /** As many workers as the machine has cores. */
    public Threads() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /** At most this many workers. */
    public Threads(int workers) {
        this(workers, Duration.ZERO);
    }

    /**
     * At most this many workers, and only one of them for a while at the start of the first run. In a process that has
     * just begun, the compiler makes better use of the other cores than workers do whose code is yet to be compiled.
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
                        (drivers, goesOn) -> drive(drivers, goesOn, signal))
                .run(signal);
    }

    private void drive(List<Driver> drivers, BooleanSupplier goesOn, StopSignal signal) {
        int most = Math.min(workers, drivers.size());
        long alone = most > 1 ? nanosAlone.getAndSet(0) : Long.MAX_VALUE;
        int count = alone > 0 ? 1 : most;
        long nanos = alone > 0 ? alone : SHORTEST_STRETCH;
        boolean interrupted = false;
        while (goesOn.getAsBoolean() && !drivers.stream().allMatch(Driver::isDone)) {
            Stretch stretch = drive(drivers, count, nanos, goesOn, signal);
            interrupted |= stretch.interrupted;
            if (count == 1) {
                count = most;
                nanos = SHORTEST_STRETCH;
            } else if (stretch.busy > stretch.nanos) {
                nanos = Math.min(2 * nanos, LONGEST_STRETCH);
            } else {
                count = 1;
                nanos = TIMES_ALONE * stretch.nanos;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What came of driving nodes for some time.
     *
     * @param interrupted whether this thread was
     * @param busy how long workers worked, all together: if no longer than it took, one could have done it alone
     * @param nanos how long it took
     */
    private record Stretch(boolean interrupted, long busy, long nanos) {}

    /** Drives the nodes on this many workers, to their end or for some time. */
    private static Stretch drive(
            List<Driver> drivers, int count, long nanos, BooleanSupplier wanted, StopSignal signal) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicLong busy = new AtomicLong();
        // Spinning pays only while every worker has a core to itself.
        boolean spin = count <= Runtime.getRuntime().availableProcessors();
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        LongPredicate goesOn = now -> failure.get() == null && now - start < nanos && wanted.getAsBoolean();
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
        return new Stretch(interrupted, busy.get(), System.nanoTime() - start);
    }

    /** Neighbouring numbers go to the same worker: in most graphs they are neighbours. */
    private static List<Driver> share(List<Driver> drivers, int worker, int count) {
        int from = (int) ((long) drivers.size() * worker / count);
        int to = (int) ((long) drivers.size() * (worker + 1) / count);
        return drivers.subList(from, to);
    }

    /** Drives some of the nodes and adds how long that took, without waiting, to what all are busy. */
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
