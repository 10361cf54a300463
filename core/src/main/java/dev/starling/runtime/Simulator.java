package dev.starling.runtime;

import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Drives all nodes on the calling thread, in idealised time: the costs of steps and messages are given, not measured.
 * Tens of thousands of nodes fit into one process.
 */
public final class Simulator implements Runner {

    private final Observer observer;

    /** Creates a simulator without an observer. */
    public Simulator() {
        this(Observer.NONE);
    }

    /** Creates a simulator that reports every communication round of a method to an observer. */
    public Simulator(Observer observer) {
        this.observer = observer;
    }

    @Override
    public RunReport run(Network network, List<? extends NodeProgram> programs, Delays delays, StopSignal signal) {
        return new LocalRun(network, programs, delays, this::observed, Simulator::drive).run(signal);
    }

    private Driver.Host observed(int node) {
        if (observer == Observer.NONE) {
            return Driver.Host.NONE;
        }
        return new Driver.Host() {
            @Override
            public void after(Exchange exchange, Driver driver) {
                if (exchange.kind() == Exchange.Kind.ROUND) {
                    observer.afterRound(node, (EstimatingProgram) driver.program(), driver);
                }
            }

            @Override
            public void ended() {
                observer.afterEnd(node);
            }
        };
    }

    private static void drive(List<Driver> drivers, BooleanSupplier keepGoing) {
        boolean running = true;
        while (running && keepGoing.getAsBoolean()) {
            running = false;
            for (Driver driver : drivers) {
                running |= driver.tryProgress();
            }
        }
        if (!running && !drivers.stream().allMatch(Driver::isDone)) {
            throw new IllegalStateException("every node waits for a message that nobody will send");
        }
    }
}
