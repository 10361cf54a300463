package dev.starling.runtime;

import dev.starling.network.Timing;
import java.util.function.IntToDoubleFunction;

/**
 * What things cost in idealised time: a proximal step at a node, and a message along an edge.
 *
 * @param step what a proximal step costs at a node; 1 in the paper
 * @param message what a message costs from one node to another; τ in the paper
 * @param disturbance what delays both further; nothing in the paper
 */
public record Delays(IntToDoubleFunction step, MessageDelay message, Disturbance disturbance) {

    /** Creates delays without disturbance. */
    public Delays(IntToDoubleFunction step, MessageDelay message) {
        this(step, message, Disturbance.NONE);
    }

    /** The cost of a message from one node to a neighbour. */
    @FunctionalInterface
    public interface MessageDelay {
        /** The delay of a message from one node to another. */
        double between(int from, int to);
    }

    /** The paper's clock: a proximal step costs 1 and a message τ, everywhere. */
    public static Delays uniform(double tau) {
        return of(Timing.even(tau));
    }

    /** Delays of nodes and edges that each have their own speed. */
    public static Delays of(Timing timing) {
        return new Delays(timing::step, timing::message);
    }

    /** Returns a copy with a disturbance. */
    public Delays disturbed(Disturbance other) {
        return new Delays(step, message, other);
    }
}
