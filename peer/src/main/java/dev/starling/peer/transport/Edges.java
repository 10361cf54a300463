package dev.starling.peer.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;

/** A node's end of all its links, whatever carries them. */
public interface Edges extends AutoCloseable {

    /** All links, by ascending number of the neighbour. */
    Iterable<Link> links();

    /** What was sent and received over all links so far. */
    Traffic traffic();

    /**
     * Accepts calls from now on, and dials the neighbours with larger numbers until each link is up; lost links are
     * dialled again. States of links must be restored before this.
     */
    void connect(Map<Integer, InetSocketAddress> addresses) throws IOException;

    /** Ends all links after everything that was sent on them has been delivered, and stops listening. */
    @Override
    void close();
}
