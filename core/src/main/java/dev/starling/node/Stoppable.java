package dev.starling.node;

/**
 * A node program that can be cut short and still end with something to show, in parts that follow one another.
 *
 * <p>Whoever drives all nodes of a network stops them so: those behind are driven on until all are in the part of the
 * one furthest ahead, which has said everything that they need for that. If that part {@link #canStop}, messages under
 * way are dropped and {@link #stop} is called at every node; otherwise all are driven on to the next part.
 */
public interface Stoppable extends NodeProgram {

    /** The number of parts that have ended. May be asked on any thread. */
    int position();

    /** Whether the present part can be cut short. */
    boolean canStop();

    /** Cuts the present part short: whatever this node was waiting for will not come. */
    void stop();
}
