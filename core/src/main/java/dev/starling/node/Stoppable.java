package dev.starling.node;

/**
 * A node program that consists of consecutive parts and can be stopped early and still end with a result.
 *
 * <p>A driver of all nodes of a network stops them as follows. It drives nodes that are behind until all are in the
 * same part as the node furthest ahead, which has already sent everything they need to get there. If that part
 * {@link #canStop}, messages in transit are dropped and {@link #stop} is called at every node; otherwise all are driven
 * on to the next part.
 */
public interface Stoppable extends NodeProgram {

    /** The number of parts that have ended. May be called from any thread. */
    int position();

    /** Whether the current part can be cut short. */
    boolean canStop();

    /** Cuts the current part short: the messages this node was waiting for will not come. */
    void stop();
}
