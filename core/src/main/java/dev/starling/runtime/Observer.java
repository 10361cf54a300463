package dev.starling.runtime;

import dev.starling.node.EstimatingProgram;

/** Watches the nodes of a method go by, without any say in what they do. Called on the thread that drives the node. */
@FunctionalInterface
public interface Observer {

    /** Nobody watches. */
    Observer NONE = (node, program, clock, rounds) -> {};

    /** A node has absorbed a round of its algorithm, at the given idealised time. */
    void afterRound(int node, EstimatingProgram program, double clock, long rounds);

    /** The same with all that the node has spent so far; whoever needs no more than its time leaves this as it is. */
    default void afterRound(int node, EstimatingProgram program, Meter meter) {
        afterRound(node, program, meter.clock(), meter.rounds());
    }

    /** A node's program has ended: there will be no further round of it. */
    default void afterEnd(int node) {}
}
