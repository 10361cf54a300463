package dev.starling.runtime;

import dev.starling.network.Network;
import dev.starling.node.NodeProgram;
import java.util.List;

/**
 * Drives the node programs of a network until all have ended or the signal is raised. Whatever the runner, the programs
 * end in the same state, bit for bit.
 */
public interface Runner {

    /** Drives one program per node of the network. */
    RunReport run(Network network, List<? extends NodeProgram> programs, Delays delays, StopSignal signal);

    /**
     * How a run went.
     *
     * @param completed whether every program ended by itself
     * @param idealisedTime the latest idealised clock of any node
     * @param rounds communication rounds of the node that took most
     * @param messages messages sent by all nodes, certificates' included
     * @param bytes their payload in bytes
     */
    record RunReport(boolean completed, double idealisedTime, long rounds, long messages, long bytes) {

        static RunReport of(List<NodeDriver> drivers) {
            return new RunReport(
                    drivers.stream().allMatch(NodeDriver::isDone),
                    drivers.stream().mapToDouble(NodeDriver::clock).max().orElse(0),
                    drivers.stream().mapToLong(NodeDriver::rounds).max().orElse(0),
                    drivers.stream().mapToLong(NodeDriver::messagesSent).sum(),
                    drivers.stream().mapToLong(NodeDriver::numbersSent).sum() * Double.BYTES);
        }

        /** This run followed by another of the same programs. */
        public RunReport then(RunReport other) {
            return new RunReport(
                    completed && other.completed,
                    idealisedTime + other.idealisedTime,
                    rounds + other.rounds,
                    messages + other.messages,
                    bytes + other.bytes);
        }
    }
}
