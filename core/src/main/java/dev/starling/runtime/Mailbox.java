package dev.starling.runtime;

import dev.starling.node.Exchange;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The messages from one node to one neighbour, in order: a lock-free ring of reused buffers that one thread fills and
 * one empties.
 *
 * <p>A node waits for its neighbours' answers, so it is never more than a few messages ahead of them; a node that finds
 * the ring full waits.
 */
final class Mailbox {

    private static final int CAPACITY = 8;

    /* Where the numbers of messages sent and taken are: far apart, since one thread writes one and polls the other. */
    private static final int SENT = 16;
    private static final int TAKEN = 32;
    private static final int ROOM = 48;

    private final double[][] buffers = new double[CAPACITY][];

    /** Frozen payloads, which are passed on without a copy; null if the slot's buffer holds a copy. */
    private final double[][] frozen = new double[CAPACITY][];

    private final double[] sentAt = new double[CAPACITY];

    private final long[] sentAfter = new long[CAPACITY];

    private final AtomicLongArray counts = new AtomicLongArray(ROOM);

    /**
     * Accepts a payload with the sender's idealised time and the number of messages one after another before it;
     * returns false if there is no room.
     */
    boolean send(Exchange exchange, double time, long latency) {
        long next = counts.getOpaque(SENT);
        if (next - counts.getAcquire(TAKEN) >= CAPACITY) {
            return false;
        }
        int slot = (int) (next % CAPACITY);
        if (exchange.isFrozen() && exchange.length() == exchange.payload().length) {
            frozen[slot] = exchange.payload();
        } else {
            frozen[slot] = null;
            copy(exchange.payload(), exchange.length(), slot);
        }
        sentAt[slot] = time;
        sentAfter[slot] = latency;
        counts.setRelease(SENT, next + 1);
        return true;
    }

    private void copy(double[] payload, int length, int slot) {
        if (buffers[slot] == null || buffers[slot].length < length) {
            buffers[slot] = new double[length];
        }
        System.arraycopy(payload, 0, buffers[slot], 0, length);
    }

    boolean isEmpty() {
        return counts.getAcquire(SENT) == counts.getOpaque(TAKEN);
    }

    /** The oldest message, which stays until {@link #take}. */
    double[] peek() {
        int slot = slot();
        return frozen[slot] == null ? buffers[slot] : frozen[slot];
    }

    /** The idealised time at which the oldest message was sent. */
    double peekTime() {
        return sentAt[slot()];
    }

    /** How many messages were sent one after another before the oldest one. */
    long peekLatency() {
        return sentAfter[slot()];
    }

    void take() {
        frozen[slot()] = null;
        counts.setRelease(TAKEN, counts.getOpaque(TAKEN) + 1);
    }

    private int slot() {
        return (int) (counts.getOpaque(TAKEN) % CAPACITY);
    }
}
