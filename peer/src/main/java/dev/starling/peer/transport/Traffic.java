package dev.starling.peer.transport;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What went over the links of a node so far. */
public final class Traffic {

    private final LongAdder bytesSent = new LongAdder();
    private final LongAdder bytesReceived = new LongAdder();
    private final LongAdder framesSent = new LongAdder();
    private final LongAdder framesReceived = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final Map<Refusal, LongAdder> refusals = new EnumMap<>(Refusal.class);

    Traffic() {
        for (Refusal refusal : Refusal.values()) {
            refusals.put(refusal, new LongAdder());
        }
    }

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

    void countRefused(Refusal why) {
        refusals.get(why).increment();
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

    /** What was refused for one reason. */
    public long refused(Refusal why) {
        return refusals.get(why).sum();
    }

    /** Callers that were refused for who they are. */
    public long refused() {
        return sum(false);
    }

    /** Frames that were refused for what they are; each closed its stream. */
    public long malformed() {
        return sum(true);
    }

    private long sum(boolean ofFrames) {
        return refusals.entrySet().stream()
                .filter(entry -> entry.getKey().isOfFrames() == ofFrames)
                .mapToLong(entry -> entry.getValue().sum())
                .sum();
    }
}
