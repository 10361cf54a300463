package dev.starling.node;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.commons.rng.RandomProviderState;
import org.apache.commons.rng.RestorableUniformRandomProvider;
import org.apache.commons.rng.core.RandomProviderDefaultState;

/** Reads and writes the parts that saved states are made of. */
public final class SavedState {

    private SavedState() {}

    /** The program that a state belongs to. It comes first in every state, so that no other program restores it. */
    public record Owner(int node, int features, long samples) {

        /** Writes this owner at the beginning of a state. */
        public void write(DataOutput out) throws IOException {
            out.writeInt(node);
            out.writeInt(features);
            out.writeLong(samples);
        }

        /** Reads the beginning of a state and refuses it if another program wrote it. */
        public void require(DataInput in) throws IOException {
            Owner writer = new Owner(in.readInt(), in.readInt(), in.readLong());
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

    /** Writes the current state of a random stream. */
    public static void writeStream(DataOutput out, RestorableUniformRandomProvider stream) throws IOException {
        writeState(out, stream.saveState());
    }

    /** Writes a state that was taken from a random stream earlier. */
    public static void writeState(DataOutput out, RandomProviderState streamState) throws IOException {
        byte[] state = ((RandomProviderDefaultState) streamState).getState();
        out.writeInt(state.length);
        out.write(state);
    }

    /** Restores the state of a random stream that {@link #writeStream} wrote. */
    public static void readStream(DataInput in, RestorableUniformRandomProvider stream) throws IOException {
        int expected = ((RandomProviderDefaultState) stream.saveState()).getState().length;
        int length = in.readInt();
        if (length != expected) {
            throw new IOException("a random stream's state has " + length + " bytes, not " + expected);
        }
        byte[] state = new byte[length];
        in.readFully(state);
        stream.restoreState(new RandomProviderDefaultState(state));
    }

    /** Writes a vector with its length. */
    public static void writeDoubles(DataOutput out, double[] values) throws IOException {
        out.writeInt(values.length);
        for (double value : values) {
            out.writeDouble(value);
        }
    }

    /** Reads a vector of the expected length. */
    public static void readDoubles(DataInput in, double[] values) throws IOException {
        int length = in.readInt();
        if (length != values.length) {
            throw new IOException("a vector has " + length + " entries, not " + values.length);
        }
        for (int k = 0; k < length; k++) {
            values[k] = in.readDouble();
        }
    }

    /** Reads a vector of any length up to a limit. */
    public static double[] readDoubles(DataInput in, int longest) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > longest) {
            throw new IOException("a vector has " + length + " entries; it must have 0 to " + longest);
        }
        double[] values = new double[length];
        for (int k = 0; k < length; k++) {
            values[k] = in.readDouble();
        }
        return values;
    }
}
