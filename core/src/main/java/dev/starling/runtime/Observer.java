package dev.starling.runtime;

import dev.starling.node.EstimatingProgram;

/** Watches the nodes of a method without influencing them. It is called on the thread that drives the node. */
@FunctionalInterface
public interface Observer {

    /** Ignores all events. */
    Observer NONE = (node, program, clock, rounds) -> {};

    /** Called when a node has absorbed a communication round of its algorithm, at the given idealised time. */
    void afterRound(int node, EstimatingProgram program, double clock, long rounds);

    /** Called with all costs of the node so far; by default it passes on its time and rounds. */
    default void afterRound(int node, EstimatingProgram program, Driver driver) {
        afterRound(node, program, driver.clock(), driver.rounds());
    }

    /** Called when a node's program has ended: it will have no further rounds. */
    default void afterEnd(int node) {}
}
