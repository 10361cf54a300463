package dev.starling.runtime;

/**
 * Delays work and messages in idealised time, as outages or losses would. It changes when things happen, never what is
 * computed: a node waits for exactly the messages it named, however late they are.
 *
 * <p>All methods must be functions of their arguments, so that a run is the same whatever drives it.
 */
public interface Disturbance {

    /** No disturbance. */
    Disturbance NONE = new Disturbance() {};

    /**
     * The time at which a node finishes work that began at {@code begun} and would take {@code duration} undisturbed.
     */
    default double worked(int node, double begun, double duration) {
        return begun + duration;
    }

    /**
     * The time at which a message arrives that was sent at {@code sent} and would take {@code duration} undisturbed.
     */
    default double arrived(int from, int to, double sent, double duration) {
        return sent + duration;
    }

    /** The number of times that a message has to be sent until it arrives. */
    default int transmissions(int from, int to, double sent) {
        return 1;
    }
}
