package dev.starling.runtime;

import dev.starling.algorithm.NodeProgram;

/** Watches nodes go by, without any say in what they do. Called on the thread that drives the node. */
@FunctionalInterface
public interface Observer {

    /** Nobody watches. */
    Observer NONE = (node, program, clock, rounds) -> {};

    /** A node has absorbed a round of its algorithm, at the given idealised time. */
    void afterRound(int node, NodeProgram program, double clock, long rounds);
}
