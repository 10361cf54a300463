package dev.starling.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Messages from one node to one neighbour, in order: a ring of reused buffers that one thread fills and one empties,
 * without locks.
 *
 * <p>A node waits for its neighbours' answers, so it is never more than a few messages ahead of them; a full ring means
 * a program that does not keep to that, and is refused.
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
    private final double[] sentAt = new double[CAPACITY];

    @SuppressWarnings("unused") // by way of SENT
    private long sent;

    @SuppressWarnings("unused") // by way of TAKEN
    private long taken;

    /** Copies a message in, with the sender's idealised time. */
    void send(double[] payload, int length, double time) {
        long next = (long) SENT.getOpaque(this);
        if (next - (long) TAKEN.getAcquire(this) >= CAPACITY) {
            throw new IllegalStateException("a node sent " + CAPACITY + " messages that nobody awaited");
        }
        int slot = (int) (next % CAPACITY);
        if (buffers[slot] == null || buffers[slot].length < length) {
            buffers[slot] = new double[length];
        }
        System.arraycopy(payload, 0, buffers[slot], 0, length);
        sentAt[slot] = time;
        SENT.setRelease(this, next + 1);
    }

    boolean isEmpty() {
        return (long) SENT.getAcquire(this) == (long) TAKEN.getOpaque(this);
    }

    /** The oldest message, which stays until {@link #take}. */
    double[] peek() {
        return buffers[slot()];
    }

    /** When the oldest message was sent, in idealised time. */
    double peekTime() {
        return sentAt[slot()];
    }

    void take() {
        TAKEN.setRelease(this, (long) TAKEN.getOpaque(this) + 1);
    }

    private int slot() {
        return (int) ((long) TAKEN.getOpaque(this) % CAPACITY);
    }
}
