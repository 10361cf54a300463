package dev.starling.runtime;

import dev.starling.network.Network;
import dev.starling.node.NodeProgram;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Drives the node programs of a network until all have ended or the signal is raised. Programs that run to their end do
 * so in the same state, bit for bit, whatever the runner. {@linkplain dev.starling.node.Stoppable Stoppable} programs
 * are stopped by the signal and then driven to their end.
 */
public interface Runner {

    /** Drives one program per node of the network. */
    RunReport run(Network network, List<? extends NodeProgram> programs, Delays delays, StopSignal signal);

    /** Computes something that all nodes, or what they have made, need once, on the cores that nodes run on. */
    default <T> T call(Supplier<T> work) {
        return work.get();
    }

    /**
     * Summary of a run.
     *
     * @param completed whether every program ended without being stopped
     * @param idealisedTime the latest idealised clock of any node
     * @param rounds the largest number of times that any node waited for its neighbours in the method's rounds
     * @param latency messages of rounds sent one after another: what rounds take when a message takes long; empty if
     *     not known
     * @param messages the number of messages sent by all nodes, including those for certificates
     * @param bytes the payload of these messages in bytes
     */
    record RunReport(
            boolean completed, double idealisedTime, long rounds, OptionalLong latency, long messages, long bytes) {}
}
