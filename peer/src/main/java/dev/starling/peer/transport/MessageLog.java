package dev.starling.peer.transport;

import com.google.protobuf.ByteString;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Vector;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * The vectors sent on one edge that the neighbour may ask for again: from the first one that its durable checkpoints do
 * not cover, to the last one sent. Their sequence numbers are consecutive.
 */
final class MessageLog {

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

    void save(DataOutput out) throws IOException {
        out.writeLong(oldest);
        out.writeInt(size);
        for (long sequence = oldest; sequence < next(); sequence++) {
            Vector vector = get(sequence).getVector();
            out.writeDouble(vector.getClock());
            for (ByteString entries : List.of(vector.getValues(), vector.getLimbs())) {
                out.writeInt(entries.size());
                out.write(entries.toByteArray());
            }
        }
    }

    void restore(DataInput in) throws IOException {
        ring = new Frame[64];
        size = 0;
        bytes = 0;
        oldest = in.readLong();
        int count = in.readInt();
        for (int k = 0; k < count; k++) {
            double clock = in.readDouble();
            byte[] values = bytes(in);
            add(Wire.vector(next(), clock, values, bytes(in)));
        }
    }

    private static byte[] bytes(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
