package dev.starling.runtime;

import dev.starling.network.Network;
import dev.starling.node.NodeProgram;
import dev.starling.node.Stoppable;
import dev.starling.runtime.Runner.RunReport;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Runs all nodes of a network in one process and can stop them in the way that {@link Stoppable} describes. */
final class LocalRun {

    /** Drives nodes until all have ended or a condition asks to pause them between exchanges. */
    interface Engine {
        /** Returns when all nodes have ended, or soon after {@code keepGoing} has become false. */
        void drive(List<Driver> drivers, BooleanSupplier keepGoing);
    }

    private final List<MemoryChannel> channels;
    private final List<Driver> drivers;
    private final Engine engine;

    LocalRun(
            Network network,
            List<? extends NodeProgram> programs,
            Delays delays,
            IntFunction<Driver.Host> hosts,
            Engine engine) {
        this.channels = MemoryChannel.of(network);
        this.drivers = IntStream.range(0, programs.size())
                .mapToObj(node -> new Driver(programs.get(node), node, channels.get(node), delays, hosts.apply(node)))
                .toList();
        this.engine = engine;
    }

    /**
     * Drives all nodes to their end. If the signal is raised, stoppable programs are stopped and then driven to their
     * end.
     */
    RunReport run(StopSignal signal) {
        engine.drive(drivers, () -> !signal.isRaised());
        boolean completed = isDone();
        while (!isDone() && canBeStopped()) {
            stop();
            engine.drive(drivers, () -> !signal.isRaised());
        }
        return report(completed);
    }

    private boolean canBeStopped() {
        return drivers.stream().allMatch(driver -> driver.program() instanceof Stoppable);
    }

    private boolean isDone() {
        return drivers.stream().allMatch(Driver::isDone);
    }

    private static Stoppable program(Driver driver) {
        return (Stoppable) driver.program();
    }

    /** Cuts short the part that the furthest node is in, or the next one that can be, and drives all nodes past it. */
    private void stop() {
        int furthest = furthest();
        reach(furthest);
        while (!isDone() && !drivers.stream().allMatch(driver -> program(driver).canStop())) {
            furthest++;
            if (!reach(furthest)) {
                throw new IllegalStateException(
                        "nodes cannot be stopped: every one waits for a message that nobody will send");
            }
        }
        if (isDone()) {
            return;
        }
        channels.forEach(MemoryChannel::clear);
        for (Driver driver : drivers) {
            driver.drop();
            program(driver).stop();
        }
        reachAll(furthest + 1);
    }

    private int furthest() {
        return drivers.stream()
                .mapToInt(driver -> program(driver).position())
                .max()
                .orElse(0);
    }

    /**
     * Drives the nodes behind a position one after another up to it and no further; false if none made any progress.
     */
    private boolean reach(int position) {
        boolean any = false;
        boolean progress = true;
        while (progress) {
            progress = false;
            for (Driver driver : drivers) {
                while (isBehind(driver, position) && driver.tryProgress()) {
                    progress = true;
                }
            }
            any |= progress;
        }
        return any;
    }

    private void reachAll(int position) {
        engine.drive(drivers, () -> drivers.stream().anyMatch(driver -> isBehind(driver, position)));
    }

    private static boolean isBehind(Driver driver, int position) {
        return !driver.isDone() && program(driver).position() < position;
    }

    private RunReport report(boolean completed) {
        return new RunReport(
                completed,
                drivers.stream().mapToDouble(Driver::clock).max().orElse(0),
                drivers.stream().mapToLong(Driver::rounds).max().orElse(0),
                drivers.stream()
                        .flatMapToLong(driver -> driver.latency().stream())
                        .max(),
                drivers.stream().mapToLong(Driver::messagesSent).sum(),
                drivers.stream().mapToLong(Driver::bytesSent).sum());
    }
}
