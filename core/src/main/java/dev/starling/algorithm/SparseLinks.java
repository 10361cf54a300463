package dev.starling.algorithm;

import dev.starling.network.Network;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * A node program whose rounds travel as {@link SparseDelta}s: what changed since the last message to the same
 * neighbour. The program inside notices nothing and computes the same bits. It pays where few entries have changed or
 * been touched at all: many features, few of them in a node's rows, little heard from others yet; otherwise it costs
 * one number per message. All nodes of a network must use it, or none.
 */
public final class SparseLinks implements NodeProgram {

    private static final double[] NOTHING = {};

    private final NodeProgram program;
    private final int[] neighbours;

    /** What each neighbour has been told last, and what it has told. */
    private final double[][] told;

    private final double[][] heard;

    /** Which message each neighbour was told last: neighbours with the same number have the same vector. */
    private final long[] lastTold;

    private long messages;
    private double[] encoded = NOTHING;
    private Exchange current = new Exchange();
    private final Exchange exchange = new Exchange();

    /** Wraps the program of a node. */
    public SparseLinks(NodeProgram program, Network network, int node) {
        this.program = program;
        this.neighbours = network.neighbours(node);
        this.told = new double[neighbours.length][];
        this.heard = new double[neighbours.length][];
        this.lastTold = new long[neighbours.length];
        Arrays.fill(told, NOTHING);
        Arrays.fill(heard, NOTHING);
    }

    @Override
    public Exchange advance() {
        current = program.advance();
        if (current.kind() != Exchange.Kind.ROUND || current.to().length == 0) {
            return current;
        }
        int entries = current.length();
        if (encoded.length < SparseDelta.longest(entries)) {
            encoded = new double[SparseDelta.longest(entries)];
        }
        int length = encode(entries);
        messages++;
        for (int to : current.to()) {
            int k = indexOf(to);
            System.arraycopy(current.payload(), 0, told[k], 0, entries);
            lastTold[k] = messages;
        }
        return exchange.set(current.kind(), current.to(), encoded, length, current.from(), current.work());
    }

    private int encode(int entries) {
        boolean alike = true;
        int first = indexOf(current.to()[0]);
        for (int to : current.to()) {
            int k = indexOf(to);
            told[k] = sized(told[k], entries);
            alike &= lastTold[k] == lastTold[first];
        }
        return alike
                ? SparseDelta.write(current.payload(), told[first], entries, encoded)
                : SparseDelta.writeWhole(current.payload(), entries, encoded);
    }

    @Override
    public void absorb(double[][] received) {
        if (current.kind() != Exchange.Kind.ROUND || current.from().length == 0) {
            program.absorb(received);
            return;
        }
        double[][] decoded = new double[received.length][];
        for (int k = 0; k < received.length; k++) {
            int from = indexOf(current.from()[k]);
            heard[from] = sized(heard[from], current.length());
            SparseDelta.read(received[k], heard[from], current.length());
            decoded[k] = heard[from];
        }
        program.absorb(decoded);
    }

    private int indexOf(int neighbour) {
        return Arrays.binarySearch(neighbours, neighbour);
    }

    /** Vectors start from zero on both sides, so nothing is said of entries that are zero still. */
    private static double[] sized(double[] vector, int entries) {
        return vector.length == entries ? vector : Arrays.copyOf(vector, entries);
    }

    @Override
    public void estimate(double[] theta) {
        program.estimate(theta);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        out.writeLong(messages);
        for (int k = 0; k < neighbours.length; k++) {
            out.writeLong(lastTold[k]);
            out.writeInt(told[k].length);
            SavedState.writeDoubles(out, told[k]);
            out.writeInt(heard[k].length);
            SavedState.writeDoubles(out, heard[k]);
        }
        program.save(out);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        messages = in.readLong();
        for (int k = 0; k < neighbours.length; k++) {
            lastTold[k] = in.readLong();
            told[k] = new double[in.readInt()];
            SavedState.readDoubles(in, told[k]);
            heard[k] = new double[in.readInt()];
            SavedState.readDoubles(in, heard[k]);
        }
        program.restore(in);
        current = new Exchange();
    }
}
