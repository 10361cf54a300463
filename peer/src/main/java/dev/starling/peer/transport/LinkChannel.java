package dev.starling.peer.transport;

import dev.starling.node.Exchange;
import dev.starling.runtime.Channel;
import java.util.OptionalInt;

/** A node's links as its driver sees them: by number of the neighbour. */
public final class LinkChannel implements Channel {

    /**
     * Entries of vectors that are let in at any time. They cost little, and behind them may be answers to probes, which
     * a node awaits while its neighbours are a phase ahead.
     */
    public static final int SMALL = 1024;

    private final Link[] links;
    private final long mostKept;
    private final Message[] heads;
    private int full = -1;
    private int expected = -1;
    private long bytesTaken;

    /** A channel over links that keeps whatever neighbours have no checkpoint past. */
    public LinkChannel(Iterable<Link> links, int nodes) {
        this(links, nodes, Long.MAX_VALUE);
    }

    /**
     * A channel over links.
     *
     * @param nodes how many nodes the network has
     * @param mostKept bytes kept for one neighbour; while it has no checkpoint past them, nothing more is sent to it
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

    /** Takes it, and keeps it for the neighbour until that needs it no longer, as long as there is room for that. */
    @Override
    public boolean send(int to, Exchange exchange, double clock) {
        full = links[to].keptBytes() < mostKept ? -1 : to;
        if (full >= 0) {
            return false;
        }
        links[to].send(exchange.payload(), exchange.length(), clock);
        return true;
    }

    /** The neighbour for which no more is kept, if the last sending failed for that. */
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

    /** Bytes of vectors taken in so far. */
    public long bytesTaken() {
        return bytesTaken;
    }
}
