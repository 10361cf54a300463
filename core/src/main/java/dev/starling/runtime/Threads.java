package dev.starling.runtime;

import dev.starling.cores.Cores;
import dev.starling.cores.Loops;
import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.node.NodeProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Drives the nodes on threads of this process: at most one worker per node, and if there are more nodes than workers,
 * the nodes are divided evenly among them. Threads that drive no node, or whose nodes wait, run the loops of the
 * others. Nodes interact only through messages, so neither the number of threads nor their timing changes a bit of the
 * result.
 *
 * <p>Several workers that mostly wait for each other, as on a machine that is busy with other things, are slower than a
 * single one. In that case one worker drives all nodes for a while.
 */
public final class Threads implements Runner {

    private static final int SPINS = 500;

    private final Cores cores;

    /** Creates a runner with as many workers as the machine has cores. */
    public Threads() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /** Creates a runner with at most this many workers. */
    public Threads(int workers) {
        this.cores = new Cores(workers);
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

    @Override
    public <T> T call(Supplier<T> work) {
        return cores.call(work);
    }

    private void drive(List<Driver> drivers, BooleanSupplier keepGoing, StopSignal signal) {
        int most = Math.min(cores.threads(), drivers.size());
        Judge judge = new Judge(most);
        boolean interrupted = false;
        while (keepGoing.getAsBoolean() && !drivers.stream().allMatch(Driver::isDone)) {
            interrupted |= new Period(drivers, judge, keepGoing).run(judge, signal);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Drives the nodes on some workers, to their end or for some time. */
    private final class Period {

        private final List<Driver> drivers;
        private final int count;
        private final long nanos;
        private final BooleanSupplier keepGoing;
        private final boolean spin;
        private final long start = System.nanoTime();
        private final LongAdder busy = new LongAdder();
        private final double clocksBefore;
        private volatile Throwable failure;

        Period(List<Driver> drivers, Judge judge, BooleanSupplier keepGoing) {
            this.drivers = drivers;
            this.count = judge.count();
            this.nanos = judge.nanos();
            this.keepGoing = keepGoing;
            this.clocksBefore = clocks(drivers);
            // Spinning pays only while every worker has a core to itself.
            this.spin = count <= Runtime.getRuntime().availableProcessors();
        }

        /** Returns whether the calling thread was interrupted, which raises the signal. */
        boolean run(Judge judge, StopSignal signal) {
            List<ForkJoinTask<?>> tasks = new ArrayList<>();
            for (int worker = 0; worker < count; worker++) {
                // Nodes with consecutive numbers, since these are neighbours in most graphs.
                List<Driver> mine = drivers.subList(first(worker), first(worker + 1));
                tasks.add(cores.start(() -> drive(mine)));
            }
            boolean interrupted = join(tasks, signal);
            if (failure instanceof InvalidInputException objection) {
                throw objection;
            }
            if (failure != null) {
                throw new IllegalStateException("a node failed: " + failure, failure);
            }
            judge.saw(clocks(drivers) - clocksBefore, busy.sum(), System.nanoTime() - start);
            return interrupted;
        }

        private int first(int worker) {
            return (int) ((long) drivers.size() * worker / count);
        }

        private boolean goesOn(long now) {
            return failure == null && now - start < nanos && keepGoing.getAsBoolean();
        }

        private long drive(List<Driver> mine) {
            long worked = 0;
            try {
                int idle = 0;
                boolean unfinished = true;
                long now = start;
                while (unfinished && goesOn(now)) {
                    boolean progress = false;
                    unfinished = false;
                    for (Driver driver : mine) {
                        progress |= driver.tryProgress();
                        unfinished |= !driver.isDone();
                    }
                    progress = progress || Loops.help();
                    idle = progress ? 0 : idle + 1;
                    if (!progress) {
                        Loops.rest(idle, spin ? SPINS : 0);
                    }
                    long then = now;
                    now = System.nanoTime();
                    worked += progress ? now - then : 0;
                }
            } catch (Throwable t) {
                failure = t;
            }
            busy.add(worked);
            return worked;
        }
    }

    /** The idealised times of all nodes, added up. */
    private static double clocks(List<Driver> drivers) {
        return drivers.stream().mapToDouble(Driver::clock).sum();
    }

    private static boolean join(List<ForkJoinTask<?>> tasks, StopSignal signal) {
        boolean interrupted = false;
        for (ForkJoinTask<?> task : tasks) {
            while (!task.isDone()) {
                try {
                    task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    signal.request();
                } catch (ExecutionException e) {
                    throw new IllegalStateException("a worker failed", e);
                }
            }
        }
        return interrupted;
    }
}
