package dev.starling.runtime;

import dev.starling.node.Exchange;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The messages from one node to one neighbour, in order: a lock-free ring of reused buffers that one thread fills and
 * one empties.
 *
 * <p>A node waits for its neighbours' answers, so it is never more than a few messages ahead of them; a node that finds
 * the ring full waits.
 */
final class Mailbox {

    private static final int CAPACITY = 8;
    private static final VarHandle SENT;
    private static final VarHandle TAKEN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SENT = lookup.findVarHandle(Mailbox.class, "sent", long.class);
            TAKEN = lookup.findVarHandle(Mailbox.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final double[][] buffers = new double[CAPACITY][];

    /** Frozen payloads, which are passed on without a copy; null if the slot's buffer holds a copy. */
    private final double[][] frozen = new double[CAPACITY][];

    private final double[] sentAt = new double[CAPACITY];

    @SuppressWarnings("unused") // accessed through SENT
    private long sent;

    @SuppressWarnings("unused") // accessed through TAKEN
    private long taken;

    /** Accepts a payload with the sender's idealised time; returns false if there is no room. */
    boolean send(Exchange exchange, double time) {
        long next = (long) SENT.getOpaque(this);
        if (next - (long) TAKEN.getAcquire(this) >= CAPACITY) {
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
        SENT.setRelease(this, next + 1);
        return true;
    }

    private void copy(double[] payload, int length, int slot) {
        if (buffers[slot] == null || buffers[slot].length < length) {
            buffers[slot] = new double[length];
        }
        System.arraycopy(payload, 0, buffers[slot], 0, length);
    }

    boolean isEmpty() {
        return (long) SENT.getAcquire(this) == (long) TAKEN.getOpaque(this);
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

    void take() {
        frozen[slot()] = null;
        TAKEN.setRelease(this, (long) TAKEN.getOpaque(this) + 1);
    }

    private int slot() {
        return (int) ((long) TAKEN.getOpaque(this) % CAPACITY);
    }
}
