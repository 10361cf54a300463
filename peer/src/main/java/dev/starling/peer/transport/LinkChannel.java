package dev.starling.peer.transport;

import dev.starling.node.Exchange;
import dev.starling.runtime.Channel;
import java.util.OptionalInt;

/** A node's links as its driver sees them, by the number of the neighbour. */
public final class LinkChannel implements Channel {

    /**
     * Vectors of up to this many entries are accepted at any time. They cost little, and the answers to probes may be
     * queued behind them, for which a node waits while its neighbours are a phase ahead.
     */
    public static final int SMALL = 1024;

    private final Link[] links;
    private final long mostKept;
    private final Message[] heads;
    private int full = -1;
    private int expected = -1;
    private long bytesTaken;

    /** Creates a channel over links that keeps everything that neighbours may still need, without a limit. */
    public LinkChannel(Iterable<Link> links, int nodes) {
        this(links, nodes, Long.MAX_VALUE);
    }

    /**
     * Creates a channel over links.
     *
     * @param nodes how many nodes the network has
     * @param mostKept the most bytes kept for one neighbour; once they are reached, nothing more is sent to it until it
     *     has written a checkpoint
     */
    public LinkChannel(Iterable<Link> links, int nodes, long mostKept) {
        this.links = new Link[nodes];
        this.mostKept = mostKept;
        this.heads = new Message[nodes];
        for (Link link : links) {
            this.links[link.neighbour().node()] = link;
        }
    }

    /** The link to a neighbour. */
    public Link link(int node) {
        return links[node];
    }

    /** Sends it and keeps it until the neighbour no longer needs it; returns false if there is no room to keep it. */
    @Override
    public boolean send(int to, Exchange exchange, double clock) {
        full = links[to].keptBytes() < mostKept ? -1 : to;
        if (full >= 0) {
            return false;
        }
        links[to].send(exchange.payload(), exchange.length(), clock);
        return true;
    }

    /** The neighbour for which there was no room to keep more, if the last attempt to send failed for that reason. */
    public OptionalInt full() {
        return full < 0 ? OptionalInt.empty() : OptionalInt.of(full);
    }

    @Override
    public double[] peek(int from) {
        if (heads[from] == null) {
            heads[from] = links[from].peek();
        }
        return heads[from] == null ? null : heads[from].values();
    }

    @Override
    public double peekClock(int from) {
        return heads[from].clock();
    }

    @Override
    public void take(int from) {
        bytesTaken += (long) Double.BYTES * heads[from].values().length;
        links[from].poll();
        heads[from] = null;
    }

    @Override
    public void expect(int entries) {
        int atLeast = Math.max(SMALL, entries);
        if (atLeast != expected) {
            expected = atLeast;
            for (Link link : links) {
                if (link != null) {
                    link.expect(atLeast);
                }
            }
        }
    }

    /** The bytes of vectors that were processed so far. */
    public long bytesTaken() {
        return bytesTaken;
    }
}
