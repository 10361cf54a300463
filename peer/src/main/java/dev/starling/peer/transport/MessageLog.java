package dev.starling.peer.transport;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Vector;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The vectors sent on one edge that the neighbour may ask for again: from the first one that its durable checkpoints do
 * not cover, to the last one sent. Their sequence numbers are consecutive.
 */
final class MessageLog implements Stateful {

    private final SortedMap<Long, Frame> kept = new TreeMap<>();
    private long next;
    private long bytes;

    /** The number of the oldest vector kept, or of the next one if none is kept. */
    long oldest() {
        return kept.isEmpty() ? next : kept.firstKey();
    }

    /** The number that the next vector will get. */
    long next() {
        return next;
    }

    /** The bytes of payload kept. */
    long bytes() {
        return bytes;
    }

    void add(Frame frame) {
        kept.put(next++, frame);
        bytes += Wire.bytes(frame.getVector());
    }

    /** The vector with a given number, which must be one of those kept. */
    Frame get(long sequence) {
        Frame frame = kept.get(sequence);
        if (frame == null) {
            throw new IllegalArgumentException("vector " + sequence + " is not kept");
        }
        return frame;
    }

    void discardBefore(long sequence) {
        SortedMap<Long, Frame> passed = kept.headMap(sequence);
        passed.values().forEach(frame -> bytes -= Wire.bytes(frame.getVector()));
        passed.clear();
    }

    @Override
    public void state(State s) throws IOException {
        long first = s.number(oldest());
        int count = s.number(kept.size());
        if (s.isRestoring()) {
            kept.clear();
            bytes = 0;
            next = first;
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
