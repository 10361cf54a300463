package dev.starling.runtime;

import dev.starling.network.Timing;
import java.util.function.IntToDoubleFunction;

/**
 * What things cost in idealised time: a proximal step at a node, and a message along an edge.
 *
 * @param step what a proximal step costs at a node; 1 in the paper
 * @param message what a message costs from one node to another; τ in the paper
 * @param disturbance what comes in the way of both; nothing in the paper
 */
public record Delays(IntToDoubleFunction step, MessageDelay message, Disturbance disturbance) {

    /** Costs that are always the same. */
    public Delays(IntToDoubleFunction step, MessageDelay message) {
        this(step, message, Disturbance.NONE);
    }

    /** What a message costs from one node to a neighbour. */
    @FunctionalInterface
    public interface MessageDelay {
        /** The delay from one node to another. */
        double between(int from, int to);
    }

    /** The paper's clock: a proximal step costs 1 and a message τ, everywhere. */
    public static Delays uniform(double tau) {
        return of(Timing.even(tau));
    }

    /** Nodes and edges at speeds of their own. */
    public static Delays of(Timing timing) {
        return new Delays(timing::step, timing::message);
    }

    /** The same costs, with something in the way. */
    public Delays disturbed(Disturbance other) {
        return new Delays(step, message, other);
    }
}
