package dev.starling.peer.transport;

import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Vector;
import io.grpc.stub.CallStreamObserver;

/**
 * One stream that a link uses until it breaks; the link may then get another. The node's thread, the threads that
 * deliver frames and the timer may all end it while others are sending; it is ended once, and nothing is sent after
 * that. Apart from {@link #isClosed}, its state is guarded by the link's lock or used only by the thread that delivers
 * frames.
 */
final class Connection {

    private final CallStreamObserver<Frame> outgoing;
    private final Runnable abort;

    /** The sequence number of the next vector to send on this connection. */
    long cursor;

    /** The number of notes that were received. */
    int notes;

    /** The number of durable marks and probes that were received. */
    long controls;

    /** When the neighbour's Hello was accepted. */
    long since;

    /** Whether the neighbour's Hello was accepted, so that vectors may follow. */
    boolean open;

    /** The first part of a vector that is longer than expected so far; its sender holds the rest back. */
    Vector early;

    /** The vector of which some parts have arrived, and how many of its entries have. */
    double[] arriving;

    int arrived;

    /** Whether no more frames are requested until the node has processed some vectors. */
    boolean paused;

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

    /** Requests another frame. It may be delivered before this returns, so this object's lock is not held. */
    void requestMore() {
        if (!closed) {
            outgoing.request(1);
        }
    }

    /** Ends the stream after everything that was sent has been delivered. */
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

    /** Closes it; returns whether this call is the one that did. */
    private synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    boolean isClosed() {
        return closed;
    }
}
