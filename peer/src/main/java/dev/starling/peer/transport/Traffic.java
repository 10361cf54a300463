package dev.starling.peer.transport;

import java.util.concurrent.atomic.LongAdder;

/** What went over the links of a node so far. */
public final class Traffic {

    private final LongAdder bytesSent = new LongAdder();
    private final LongAdder bytesReceived = new LongAdder();
    private final LongAdder framesSent = new LongAdder();
    private final LongAdder framesReceived = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder malformed = new LongAdder();

    Traffic() {}

    void countSent(int bytes) {
        framesSent.increment();
        bytesSent.add(bytes);
    }

    void countReceived(int bytes) {
        framesReceived.increment();
        bytesReceived.add(bytes);
    }

    void countConnection() {
        connections.increment();
    }

    void countRefused() {
        refused.increment();
    }

    void countMalformed() {
        malformed.increment();
    }

    /** Bytes of frames sent, before encryption. */
    public long bytesSent() {
        return bytesSent.sum();
    }

    /** Bytes of frames received, after decryption. */
    public long bytesReceived() {
        return bytesReceived.sum();
    }

    /** Frames sent. */
    public long framesSent() {
        return framesSent.sum();
    }

    /** Frames received. */
    public long framesReceived() {
        return framesReceived.sum();
    }

    /** Connections that became links. */
    public long connections() {
        return connections.sum();
    }

    /** Callers that were refused for who they are. */
    public long refused() {
        return refused.sum();
    }

    /** Frames that were refused for what they are; each closed its stream. */
    public long malformed() {
        return malformed.sum();
    }
}
