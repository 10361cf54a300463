package dev.starling.runtime;

import dev.starling.network.Network;
import dev.starling.node.Exchange;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The channel of a node whose neighbours are in the same process: a mailbox for each direction of each edge. */
final class MemoryChannel implements Channel {

    private final int[] neighbours;
    private final Mailbox[] outgoing;
    private final Mailbox[] incoming;
    private long latency;

    private MemoryChannel(int[] neighbours) {
        this.neighbours = neighbours;
        this.outgoing = new Mailbox[neighbours.length];
        this.incoming = new Mailbox[neighbours.length];
    }

    /** The channels of all nodes of a network. */
    static List<MemoryChannel> of(Network network) {
        List<MemoryChannel> all = IntStream.range(0, network.size())
                .mapToObj(node -> new MemoryChannel(network.neighbours(node)))
                .toList();
        for (int node = 0; node < all.size(); node++) {
            MemoryChannel channel = all.get(node);
            for (int k = 0; k < channel.neighbours.length; k++) {
                Mailbox mailbox = new Mailbox();
                MemoryChannel other = all.get(channel.neighbours[k]);
                channel.outgoing[k] = mailbox;
                other.incoming[other.index(node)] = mailbox;
            }
        }
        return all;
    }

    private int index(int neighbour) {
        int k = Arrays.binarySearch(neighbours, neighbour);
        if (k < 0) {
            throw new IllegalArgumentException("node " + neighbour + " is not a neighbour");
        }
        return k;
    }

    @Override
    public boolean send(int to, Exchange exchange, double clock) {
        return outgoing[index(to)].send(exchange, clock, latency);
    }

    @Override
    public double[] peek(int from) {
        Mailbox mailbox = incoming[index(from)];
        return mailbox.isEmpty() ? null : mailbox.peek();
    }

    @Override
    public double peekClock(int from) {
        return incoming[index(from)].peekTime();
    }

    @Override
    public void take(int from) {
        incoming[index(from)].take();
    }

    @Override
    public void follow(int from) {
        latency = Math.max(latency, incoming[index(from)].peekLatency() + 1);
    }

    @Override
    public OptionalLong latency() {
        return OptionalLong.of(latency);
    }

    /** Drops every message that has arrived. */
    void clear() {
        for (Mailbox mailbox : incoming) {
            while (!mailbox.isEmpty()) {
                mailbox.take();
            }
        }
    }
}
