package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.State;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.keys.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
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

    private static final int LONGEST = 1 << 28;

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
            OwnerOnly.replace(file, Bytes.of(session.encoded(), Transcript::facts));
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

    private static List<byte[]> facts(State s, List<byte[]> known) throws IOException {
        List<byte[]> facts = new ArrayList<>(known);
        s.elements(facts, new byte[0], (one, bytes) -> one.bytes(bytes, LONGEST));
        return facts;
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
        State state = State.restoring(in);
        List<byte[]> facts = facts(state, List.of());
        List<double[]> results = new ArrayList<>();
        ends.add(bytes.length - in.available());
        try {
            while (in.available() > 0) {
                results.add(state.vector(new double[0], LONGEST));
                ends.add(bytes.length - in.available());
            }
        } catch (IOException e) {
            // What a crash has cut short comes again.
            return new Content(facts, results);
        }
        return new Content(facts, results);
    }

    /** Adds the result of the next collective, which is on disk when this returns. */
    public void add(double[] vector, int length) {
        try {
            OwnerOnly.append(
                    channel, Bytes.of(Arrays.copyOf(vector, length), (state, result) -> state.vector(result, LONGEST)));
        } catch (IOException e) {
            throw new LedgerException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
