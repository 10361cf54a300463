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

/**
 * Drives the nodes on threads of this process: one worker per node up to the number of workers, and nodes beyond that
 * shared out evenly. Nodes see nothing of each other but messages, so thread count and timing change no bit.
 */
public final class Threads implements Runner {

    private static final int SPINS = 500;
    private static final int YIELDS = 200;
    private static final long NAP_NANOS = 50_000;

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
        int count = Math.min(workers, drivers.size());
        long alone = count > 1 ? nanosAlone.getAndSet(0) : 0;
        boolean interrupted = alone > 0 && drive(drivers, 1, alone, goesOn, signal);
        if (!drivers.stream().allMatch(Driver::isDone)) {
            interrupted |= drive(drivers, count, Long.MAX_VALUE, goesOn, signal);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Drives the nodes on this many workers, to their end or for some time; tells whether it was interrupted. */
    private static boolean drive(
            List<Driver> drivers, int count, long nanos, BooleanSupplier wanted, StopSignal signal) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        // Spinning pays only while every worker has a core to itself.
        boolean spin = count <= Runtime.getRuntime().availableProcessors();
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        BooleanSupplier goesOn =
                () -> failure.get() == null && System.nanoTime() - start < nanos && wanted.getAsBoolean();
        for (int worker = 0; worker < count; worker++) {
            List<Driver> mine = share(drivers, worker, count);
            Thread thread = new Thread(() -> drive(mine, goesOn, failure, spin), "starling-worker-" + worker);
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
        return interrupted;
    }

    /** Neighbouring numbers go to the same worker: in most graphs they are neighbours. */
    private static List<Driver> share(List<Driver> drivers, int worker, int count) {
        int from = (int) ((long) drivers.size() * worker / count);
        int to = (int) ((long) drivers.size() * (worker + 1) / count);
        return drivers.subList(from, to);
    }

    private static void drive(
            List<Driver> mine, BooleanSupplier goesOn, AtomicReference<Throwable> failure, boolean spin) {
        try {
            int idle = 0;
            boolean unfinished = true;
            while (unfinished && goesOn.getAsBoolean()) {
                boolean progress = false;
                unfinished = false;
                for (Driver driver : mine) {
                    progress |= driver.tryProgress();
                    unfinished |= !driver.isDone();
                }
                idle = progress ? 0 : idle + 1;
                rest(idle, spin);
            }
        } catch (Throwable t) {
            failure.compareAndSet(null, t);
        }
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
