package dev.starling.runtime;

/**
 * What comes in the way of work and messages in idealised time. It changes when things happen, never what is computed:
 * a node waits for exactly the messages it named, however late they are.
 *
 * <p>Everything is a function of times and nodes, so that a run is the same whoever drives it.
 */
public interface Disturbance {

    /** Nothing comes in the way. */
    Disturbance NONE = new Disturbance() {};

    /** When work of a node is done that was begun at a time and takes so long undisturbed. */
    default double worked(int node, double begun, double duration) {
        return begun + duration;
    }

    /** When a message arrives that was sent at a time and takes so long undisturbed. */
    default double arrived(int from, int to, double sent, double duration) {
        return sent + duration;
    }

    /** How often a message has to be sent until it arrives. */
    default int transmissions(int from, int to, double sent) {
        return 1;
    }
}
