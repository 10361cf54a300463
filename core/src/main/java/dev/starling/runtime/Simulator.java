package dev.starling.runtime;

import dev.starling.network.Network;
import dev.starling.node.NodeProgram;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Drives all nodes on the calling thread, in idealised time: what a step and a message cost is given, not measured.
 * Tens of thousands of nodes fit into one process.
 */
public final class Simulator implements Runner {

    private final Observer observer;

    /** A simulator nobody watches. */
    public Simulator() {
        this(Observer.NONE);
    }

    /** A simulator that shows every round to an observer. */
    public Simulator(Observer observer) {
        this.observer = observer;
    }

    @Override
    public RunReport run(Network network, List<? extends NodeProgram> programs, Delays delays, StopSignal signal) {
        Mailboxes mailboxes = new Mailboxes(network);
        List<NodeDriver> drivers = IntStream.range(0, programs.size())
                .mapToObj(node -> new NodeDriver(programs.get(node), node, mailboxes, delays, observer))
                .toList();
        boolean running = true;
        while (running && !signal.isRaised()) {
            running = false;
            for (NodeDriver driver : drivers) {
                running |= driver.tryProgress();
            }
        }
        RunReport report = RunReport.of(drivers);
        if (!report.completed() && !signal.isRaised()) {
            throw new IllegalStateException("every node waits for a message that nobody will send");
        }
        return report;
    }
}
