package dev.starling.peer.transport;

import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Vector;
import io.grpc.stub.CallStreamObserver;

/**
 * One stream that a link runs over until it breaks; the link may then get another. The node's thread, those that bring
 * frames and the timer may all end it, each while the others send: it is ended once, and nothing is sent after that. Of
 * its fields only {@link #isClosed} may be asked without the link's lock.
 */
final class Connection {

    private final CallStreamObserver<Frame> outgoing;
    private final Runnable abort;

    /** The sequence number of the next vector to send on this connection. */
    long cursor;

    /** How many notes, marks and probes came in. */
    int notes;

    long controls;
    final long since = System.nanoTime();

    /** Whether the neighbour's Hello was accepted, so that ours is out and vectors may follow. */
    boolean open;

    /** The beginning of a vector that is longer than is expected yet; the rest waits with its sender. */
    Vector early;

    /** The vector of which some parts are here, and how many entries of it are. */
    double[] arriving;

    int arrived;

    /** Whether the receiver was told not to expect more requests until the node has taken some in. */
    boolean heldBack;

    private volatile boolean closed;

    Connection(CallStreamObserver<Frame> outgoing, Runnable abort) {
        this.outgoing = outgoing;
        this.abort = abort;
    }

    boolean isReady() {
        return !closed && outgoing.isReady();
    }

    synchronized void send(Frame frame) {
        if (!closed) {
            outgoing.onNext(frame);
        }
    }

    /** Asks for a frame, which may be brought before this returns: that is why no lock is held meanwhile. */
    void requestMore() {
        if (!closed) {
            outgoing.request(1);
        }
    }

    /** Ends the stream after what was sent. */
    void complete() {
        if (close()) {
            outgoing.onCompleted();
        }
    }

    /** Ends the stream at once. */
    void abort() {
        if (close()) {
            abort.run();
        }
    }

    /** Whether this call is the one that closes it. */
    private synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    boolean isClosed() {
        return closed;
    }
}
