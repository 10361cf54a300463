package dev.starling.peer.transport;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Vector;
import java.io.IOException;

/**
 * The vectors sent on one edge that the neighbour may ask for again: from the first one that its durable checkpoints do
 * not cover, to the last one sent. Their sequence numbers are consecutive.
 */
final class MessageLog implements Stateful {

    private Frame[] ring = new Frame[64];
    private int size;
    private long oldest;
    private long bytes;

    /** The number of the oldest vector kept, or of the next one if none is kept. */
    long oldest() {
        return oldest;
    }

    /** The number that the next vector will get. */
    long next() {
        return oldest + size;
    }

    /** The bytes of payload kept. */
    long bytes() {
        return bytes;
    }

    void add(Frame frame) {
        if (size == ring.length) {
            grow();
        }
        ring[slot(next())] = frame;
        size++;
        bytes += Wire.bytes(frame.getVector());
    }

    /** The vector with a given number, which must be one of those kept. */
    Frame get(long sequence) {
        if (sequence < oldest || sequence >= next()) {
            throw new IllegalArgumentException("vector " + sequence + " is not kept");
        }
        return ring[slot(sequence)];
    }

    void discardBefore(long sequence) {
        while (oldest < sequence && size > 0) {
            int slot = slot(oldest);
            bytes -= Wire.bytes(ring[slot].getVector());
            ring[slot] = null;
            oldest++;
            size--;
        }
    }

    private int slot(long sequence) {
        return (int) (sequence & (ring.length - 1));
    }

    private void grow() {
        Frame[] larger = new Frame[2 * ring.length];
        for (long sequence = oldest; sequence < next(); sequence++) {
            larger[(int) (sequence & (larger.length - 1))] = ring[slot(sequence)];
        }
        ring = larger;
    }

    @Override
    public void state(State s) throws IOException {
        long first = s.number(oldest);
        int count = s.number(size);
        if (s.isRestoring()) {
            ring = new Frame[64];
            size = 0;
            bytes = 0;
            oldest = first;
        }
        for (long sequence = first; sequence < first + count; sequence++) {
            Vector vector = s.isRestoring()
                    ? Vector.getDefaultInstance()
                    : get(sequence).getVector();
            double clock = s.number(vector.getClock());
            byte[] values = s.bytes(vector.getValues().toByteArray(), Integer.MAX_VALUE);
            byte[] limbs = s.bytes(vector.getLimbs().toByteArray(), Integer.MAX_VALUE);
            if (s.isRestoring()) {
                add(Wire.vector(sequence, clock, values, limbs));
            }
        }
    }
}
