package dev.starling.peer.node;

import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkChannel;
import dev.starling.peer.transport.Surroundings;
import dev.starling.runtime.Driver;
import java.util.function.Supplier;

/** What a site does until a message that is due has come: it rests, and gives up for the reasons of {@link Waiting}. */
final class AwaitedMessages implements Driver.Idle {

    private static final long NAP_NANOS = 50_000_000;
    private static final int YIELDS = 20;

    private final Status status;
    private final Waiting waiting;
    private final LinkChannel channel;
    private final Surroundings surroundings;
    private final Supplier<String> saved;
    private long since;

    /** @param saved says what a site that gives up leaves behind; may throw to give up */
    AwaitedMessages(
            Status status, Waiting waiting, LinkChannel channel, Surroundings surroundings, Supplier<String> saved) {
        this.status = status;
        this.waiting = waiting;
        this.channel = channel;
        this.surroundings = surroundings;
        this.saved = saved;
    }

    /** The one-way time of a message of this many numbers, in microseconds. */
    double linkMicros(Link link, int numbers) {
        return Measuring.linkMicros(link, numbers, surroundings, waiting, () -> check(link, 0));
    }

    @Override
    public void rest(int times, int from) {
        if (times <= YIELDS) {
            since = surroundings.nanos();
            Thread.yield();
            return;
        }
        int awaited = channel.full().orElse(from);
        if (awaited < 0) {
            // What was missing a moment ago has arrived.
            return;
        }
        long start = surroundings.nanos();
        surroundings.rest(NAP_NANOS);
        long now = surroundings.nanos();
        Link link = channel.link(awaited);
        status.waited(link.neighbour().name(), now - start);
        if (now - since > NAP_NANOS) {
            check(link, now - since);
        }
    }

    private void check(Link link, long waitedNanos) {
        String left = saved.get();
        if (Thread.currentThread().isInterrupted()) {
            throw new PeerStoppedException("interrupted; " + left + ", start again to resume");
        }
        waiting.requireNoObjection();
        if (channel.full().isPresent()) {
            waiting.forRoom(link, waitedNanos, left);
        } else {
            waiting.forMessage(link, waitedNanos, left);
        }
    }
}
