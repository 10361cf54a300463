package dev.starling.peer.transport;

import dev.starling.node.Exchange;
import dev.starling.runtime.Channel;

/** A node's links as its driver sees them: by number of the neighbour. */
public final class LinkChannel implements Channel {

    /**
     * Entries of vectors that are let in at any time. They cost little, and behind them may be answers to probes, which
     * a node awaits while its neighbours are a phase ahead.
     */
    public static final int SMALL = 1024;

    private final Link[] links;
    private final Message[] heads;
    private int expected = -1;
    private long bytesTaken;

    /**
     * A channel over links.
     *
     * @param nodes how many nodes the network has
     */
    public LinkChannel(Iterable<Link> links, int nodes) {
        this.links = new Link[nodes];
        this.heads = new Message[nodes];
        for (Link link : links) {
            this.links[link.neighbour().node()] = link;
        }
    }

    /** The link to a neighbour. */
    public Link link(int node) {
        return links[node];
    }

    /** Takes it always: what a neighbour cannot take yet is kept for it. */
    @Override
    public boolean send(int to, Exchange exchange, double clock) {
        links[to].send(exchange.payload(), exchange.length(), clock);
        return true;
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
