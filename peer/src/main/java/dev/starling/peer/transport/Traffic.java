package dev.starling.peer.transport;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What went over the links of a node so far, or over one of them. */
public final class Traffic {

    /** That of all links together; null where this is it. */
    private final Traffic whole;

    private final LongAdder bytesSent = new LongAdder();
    private final LongAdder bytesReceived = new LongAdder();
    private final LongAdder framesSent = new LongAdder();
    private final LongAdder framesReceived = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final Map<Refusal, LongAdder> refusals = new EnumMap<>(Refusal.class);

    Traffic() {
        this(null);
    }

    private Traffic(Traffic whole) {
        this.whole = whole;
        for (Refusal refusal : Refusal.values()) {
            refusals.put(refusal, new LongAdder());
        }
    }

    /** Counts for one link, all of which are counted here, too. */
    Traffic ofOneLink() {
        return new Traffic(this);
    }

    void countSent(int bytes) {
        framesSent.increment();
        bytesSent.add(bytes);
        if (whole != null) {
            whole.countSent(bytes);
        }
    }

    void countReceived(int bytes) {
        framesReceived.increment();
        bytesReceived.add(bytes);
        if (whole != null) {
            whole.countReceived(bytes);
        }
    }

    void countConnection() {
        connections.increment();
        if (whole != null) {
            whole.countConnection();
        }
    }

    void countRefused(Refusal why) {
        refusals.get(why).increment();
        if (whole != null) {
            whole.countRefused(why);
        }
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
