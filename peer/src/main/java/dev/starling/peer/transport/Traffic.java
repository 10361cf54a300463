package dev.starling.peer.transport;

import dev.starling.peer.trust.Refusal;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was sent and received over the links of a node, or over one of them. */
public final class Traffic {

    /** The traffic of all links together; null if this is it. */
    private final Traffic total;

    private final LongAdder bytesSent = new LongAdder();
    private final LongAdder bytesReceived = new LongAdder();
    private final LongAdder framesSent = new LongAdder();
    private final LongAdder framesReceived = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final Map<Refusal, LongAdder> refusals = new EnumMap<>(Refusal.class);

    Traffic() {
        this(null);
    }

    private Traffic(Traffic total) {
        this.total = total;
        for (Refusal refusal : Refusal.values()) {
            refusals.put(refusal, new LongAdder());
        }
    }

    /** Returns the counts of one link, which are also included here. */
    Traffic ofOneLink() {
        return new Traffic(this);
    }

    void countSent(int bytes) {
        framesSent.increment();
        bytesSent.add(bytes);
        if (total != null) {
            total.countSent(bytes);
        }
    }

    void countReceived(int bytes) {
        framesReceived.increment();
        bytesReceived.add(bytes);
        if (total != null) {
            total.countReceived(bytes);
        }
    }

    void countConnection() {
        connections.increment();
        if (total != null) {
            total.countConnection();
        }
    }

    void countRefused(Refusal why) {
        refusals.get(why).increment();
        if (total != null) {
            total.countRefused(why);
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

    /** The number of frames sent. */
    public long framesSent() {
        return framesSent.sum();
    }

    /** The number of frames received. */
    public long framesReceived() {
        return framesReceived.sum();
    }

    /** The number of connections that became links. */
    public long connections() {
        return connections.sum();
    }

    /** How many refusals there were for one reason. */
    public long refused(Refusal why) {
        return refusals.get(why).sum();
    }

    /** The number of callers that were refused because of who they are. */
    public long refused() {
        return sum(false);
    }

    /** The number of frames that were refused because of what they contain; each closed its stream. */
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
