package dev.starling.peer.transport;

import dev.starling.peer.trust.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * What a site finds around itself: time, threads and a network. (Files come by their paths.) Nothing else that a site
 * does depends on anything but its file, its rows and what its neighbours send, so whoever provides other surroundings
 * decides everything that happens to it.
 */
public interface Surroundings {

    /** The surroundings of a process: the system's clock and threads, and gRPC over TLS. */
    static Surroundings real() {
        return new RealSurroundings();
    }

    /** The time that has passed since some moment. */
    long nanos();

    /**
     * Called by the thread that drives the site, when there is nothing to do: waits until someone calls {@link #wake},
     * for at most this long. It may return earlier, and leaves an interruption to the caller.
     */
    void rest(long nanos);

    /** Ends the rest of the thread that drives the site, or its next one. */
    void wake();

    /** Runs a short task after a while, on another thread. */
    void later(Runnable task, long millis);

    /** Creates a thread for work in the background. */
    ExecutorService worker(String name);

    /**
     * Opens a site's end of all its links.
     *
     * @param credentials called for every connection
     * @param listen where to listen for those neighbours that dial this site
     * @param proxy the HTTP proxy through which it connects, if there is one
     * @throws IOException if it cannot listen there
     */
    Edges open(
            Identity self,
            Supplier<Credentials> credentials,
            InetSocketAddress listen,
            List<Neighbour> neighbours,
            Limits limits,
            LinkEvents events,
            Optional<Proxy> proxy)
            throws IOException;
}
