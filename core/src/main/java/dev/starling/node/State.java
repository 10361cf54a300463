package dev.starling.node;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.commons.rng.RandomProviderState;
import org.apache.commons.rng.RestorableUniformRandomProvider;
import org.apache.commons.rng.core.RandomProviderDefaultState;

/**
 * A state on its way to or from storage. A {@link Stateful} object names each of its fields once, as in {@code steps =
 * s.number(steps)}: when the state is saved, the field is written and stays as it is; when it is restored, the argument
 * is ignored and the field is set to what was saved. So the same lines do both and cannot disagree.
 */
public final class State {

    private static final int LONGEST = Integer.MAX_VALUE - 8;

    /** Where fields are written; null while they are restored. */
    private final DataOutput out;

    /** Where fields are read; null while they are saved. */
    private final DataInput in;

    private State(DataOutput out, DataInput in) {
        this.out = out;
        this.in = in;
    }

    /** Returns a state that writes the fields it is given. */
    public static State saving(DataOutput out) {
        return new State(out, null);
    }

    /** Returns a state that reads the fields it is asked for. */
    public static State restoring(DataInput in) {
        return new State(null, in);
    }

    /** Whether fields are being restored rather than saved: time to derive again what is not saved. */
    public boolean isRestoring() {
        return in != null;
    }

    /** Returns a flag: the given one if it is saved, the saved one if it is restored. */
    public boolean flag(boolean value) throws IOException {
        if (in != null) {
            return in.readBoolean();
        }
        out.writeBoolean(value);
        return value;
    }

    /** Returns a number: the given one if it is saved, the saved one if it is restored. */
    public int number(int value) throws IOException {
        if (in != null) {
            return in.readInt();
        }
        out.writeInt(value);
        return value;
    }

    /** Returns a number: the given one if it is saved, the saved one if it is restored. */
    public long number(long value) throws IOException {
        if (in != null) {
            return in.readLong();
        }
        out.writeLong(value);
        return value;
    }

    /** Returns a number: the given one if it is saved, the saved one if it is restored. */
    public double number(double value) throws IOException {
        if (in != null) {
            return in.readDouble();
        }
        out.writeDouble(value);
        return value;
    }

    /** Returns a text: the given one if it is saved, the saved one if it is restored. */
    public String text(String value) throws IOException {
        if (in != null) {
            return in.readUTF();
        }
        out.writeUTF(value);
        return value;
    }

    /** Returns one of an enum's constants: the given one if it is saved, the saved one if it is restored. */
    public <E extends Enum<E>> E choice(E value) throws IOException {
        String name = text(value.name());
        try {
            return Enum.valueOf(value.getDeclaringClass(), name);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "'" + name + "' is none of "
                            + List.of(value.getDeclaringClass().getEnumConstants()),
                    e);
        }
    }

    private int length(int value, int longest, String what) throws IOException {
        int length = number(value);
        if (length < 0 || length > longest) {
            throw new IOException(what + " has " + length + " entries; it must have 0 to " + longest);
        }
        return length;
    }

    /** Saves the entries of a vector, or restores them in place; its length never changes. */
    public void vector(double[] values) throws IOException {
        int length = number(values.length);
        if (length != values.length) {
            throw new IOException("a vector has " + length + " entries, not " + values.length);
        }
        for (int k = 0; k < length; k++) {
            values[k] = number(values[k]);
        }
    }

    /** Returns a vector of any length: the given one if it is saved, a new one if it is restored. */
    public double[] vector(double[] values, int longest) throws IOException {
        int length = length(isRestoring() ? 0 : values.length, longest, "a vector");
        if (isRestoring()) {
            DoubleBuffer read = ByteBuffer.wrap(read(Math.multiplyExact(Double.BYTES, length)))
                    .asDoubleBuffer();
            double[] same = new double[length];
            read.get(same);
            return same;
        }
        for (double value : values) {
            number(value);
        }
        return values;
    }

    /** Returns flags: the given ones if they are saved, new ones if they are restored. */
    public boolean[] flags(boolean[] values, int longest) throws IOException {
        int length = length(isRestoring() ? 0 : values.length, longest, "a vector");
        boolean[] same = isRestoring() ? new boolean[length] : values;
        for (int k = 0; k < length; k++) {
            same[k] = flag(same[k]);
        }
        return same;
    }

    /** Returns bytes: the given ones if they are saved, new ones if they are restored. */
    public byte[] bytes(byte[] values, int longest) throws IOException {
        int length = length(isRestoring() ? 0 : values.length, longest, "a field");
        if (in == null) {
            out.write(values, 0, length);
            return values;
        }
        return read(length);
    }

    /** Reads so many bytes; what is cut short takes no more memory than it has, whatever it says. */
    private byte[] read(int count) throws IOException {
        if (in instanceof InputStream stream) {
            byte[] bytes = stream.readNBytes(count);
            if (bytes.length < count) {
                throw new EOFException(bytes.length + " bytes are left of " + count);
            }
            return bytes;
        }
        byte[] bytes = new byte[count];
        in.readFully(bytes);
        return bytes;
    }

    /** Saves or restores an element of a collection and returns it. */
    @FunctionalInterface
    public interface Element<T> {

        /** Returns an element: the given one if it is saved, the saved one if it is restored. */
        T state(State s, T value) throws IOException;
    }

    /**
     * Saves the elements of a collection, or replaces them with those that were saved.
     *
     * @param blank takes the place of an element that is being restored
     */
    public <T> void elements(Collection<T> elements, T blank, Element<T> element) throws IOException {
        int count = length(elements.size(), LONGEST, "a collection");
        if (!isRestoring()) {
            for (T one : elements) {
                element.state(this, one);
            }
            return;
        }
        elements.clear();
        for (T one : Collections.nCopies(count, blank)) {
            elements.add(element.state(this, one));
        }
    }

    /** Saves or restores the position of a random stream. */
    public void stream(RestorableUniformRandomProvider stream) throws IOException {
        stream(stream, stream.saveState());
    }

    /** Saves a position that a random stream had earlier, or returns the stream to the one that was saved. */
    public void stream(RestorableUniformRandomProvider stream, RandomProviderState position) throws IOException {
        byte[] bytes = ((RandomProviderDefaultState) position).getState();
        byte[] same = bytes(bytes, bytes.length);
        if (same.length != bytes.length) {
            throw new IOException("a random stream's state has " + same.length + " bytes, not " + bytes.length);
        }
        if (isRestoring()) {
            stream.restoreState(new RandomProviderDefaultState(same));
        }
    }

    /** The program that a state belongs to. It comes first in every state, so that no other program restores it. */
    public record Owner(int node, int features, long samples) {

        /** Begins a state, and refuses one that another program saved. */
        public void state(State s) throws IOException {
            Owner writer = new Owner(s.number(node), s.number(features), s.number(samples));
            if (!writer.equals(this)) {
                throw new IOException("the saved state belongs to " + writer + ", but this is " + this
                        + "; restore it where it was saved, with the same data");
            }
        }

        @Override
        public String toString() {
            return "node " + node + " with " + samples + " samples of " + features + " features";
        }
    }
}
