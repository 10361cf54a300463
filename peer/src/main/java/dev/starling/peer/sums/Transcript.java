package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A site's copy of what all sites received in a run: the facts of all sites, then the result of every collective, in
 * order. With it and its rows the site can recompute what it has sent.
 */
public final class Transcript implements Closeable {

    /**
     * The content of a transcript.
     *
     * @param facts the facts of all sites, by site
     * @param results the results of collectives, in order
     */
    public record Content(List<byte[]> facts, List<double[]> results) {}

    private final Path file;
    private final FileChannel channel;

    private Transcript(Path file) throws IOException {
        this.file = file;
        this.channel = OwnerOnly.appending(file);
    }

    /**
     * Opens the transcript of a run, or creates a new one.
     *
     * @param kept how many results the state on disk includes; those after them are dropped, since they will come again
     * @throws InvalidInputException if it has fewer, or belongs to another run
     */
    public static Transcript open(Path file, SessionFacts session, long kept) throws IOException {
        if (kept == 0) {
            OwnerOnly.replace(file, encoded(session.encoded()));
            return new Transcript(file);
        }
        byte[] bytes = Files.readAllBytes(file);
        List<Integer> ends = new ArrayList<>();
        Content content = read(bytes, ends);
        if (!Arrays.deepEquals(content.facts.toArray(), session.encoded().toArray()) || ends.size() <= kept) {
            throw new InvalidInputException(
                    file + " does not belong to this run, or is cut short; restore it, or start a run"
                            + " under another name at all sites");
        }
        try (FileChannel existing = FileChannel.open(file, StandardOpenOption.WRITE)) {
            existing.truncate(ends.get((int) kept));
            existing.force(true);
        }
        return new Transcript(file);
    }

    private static byte[] encoded(List<byte[]> facts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(facts.size());
            for (byte[] one : facts) {
                out.writeInt(one.length);
                out.write(one);
            }
        }
        return bytes.toByteArray();
    }

    /** Reads a run's file; an incomplete result at its end, which a crash may have left, is ignored. */
    public static Content read(Path file) throws IOException {
        return read(Files.readAllBytes(file), new ArrayList<>());
    }

    /**
     * Reads up to the last complete result.
     *
     * @param ends receives the offsets at which the facts and each of the results end
     */
    private static Content read(byte[] bytes, List<Integer> ends) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        List<byte[]> facts = new ArrayList<>();
        List<double[]> results = new ArrayList<>();
        try {
            for (int left = in.readInt(); left > 0; left--) {
                facts.add(in.readNBytes(in.readInt()));
            }
            ends.add(bytes.length - in.available());
            while (in.available() > 0) {
                byte[] result = new byte[Math.multiplyExact(Double.BYTES, length(in))];
                in.readFully(result);
                double[] numbers = new double[result.length / Double.BYTES];
                ByteBuffer.wrap(result).asDoubleBuffer().get(numbers);
                results.add(numbers);
                ends.add(bytes.length - in.available());
            }
        } catch (EOFException e) {
            return new Content(facts, results);
        }
        return new Content(facts, results);
    }

    private static int length(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available() / Double.BYTES) {
            throw new EOFException();
        }
        return length;
    }

    /** Adds the result of the next collective, which is on disk when this returns. */
    public void add(double[] vector, int length) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Integer.BYTES + Double.BYTES * length).putInt(length);
        bytes.asDoubleBuffer().put(vector, 0, length);
        try {
            OwnerOnly.append(channel, bytes.array());
        } catch (IOException e) {
            throw new LedgerException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
