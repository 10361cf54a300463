package dev.starling.runtime;

import dev.starling.network.Network;
import dev.starling.node.NodeProgram;
import java.util.List;

/**
 * Drives the node programs of a network until all have ended or the signal is raised. Whatever the runner, the programs
 * end in the same state, bit for bit. Programs that are {@link dev.starling.node.Stoppable} are stopped by the signal
 * and driven on to their end.
 */
public interface Runner {

    /** Drives one program per node of the network. */
    RunReport run(Network network, List<? extends NodeProgram> programs, Delays delays, StopSignal signal);

    /**
     * How a run went.
     *
     * @param completed whether every program ended by itself, without being stopped
     * @param idealisedTime the latest idealised clock of any node
     * @param rounds communication rounds of the node that took most
     * @param messages messages sent by all nodes, certificates' included
     * @param bytes their payload in bytes
     */
    record RunReport(boolean completed, double idealisedTime, long rounds, long messages, long bytes) {}
}
