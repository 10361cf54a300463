package dev.starling.peer.cohort;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.trust.Sha256;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A file with all people whom a register knows, in the order of their hashes: the class of each, and for each column
 * the hash of each person's last cell and the class of those whose cells changed in the same runs. Columns are read one
 * at a time, since all of them together may be larger than memory.
 */
final class Snapshot implements Closeable {

    private static final int VERSION = 2;
    private static final int WITHOUT_RUNS = 1;
    private static final int CHUNK = 1 << 16;

    private final FileChannel channel;
    private final boolean identified;
    private final long[] people;
    private final int[] classes;
    private final int[] formed;
    private final BitSet[] runs;

    /** Where the cells of each column begin; the classes of changes follow, if they were ever changed. */
    private final Map<String, Place> columns = new LinkedHashMap<>();

    private record Place(long position, boolean changed) {}

    /** A snapshot without people. */
    Snapshot() {
        this.channel = null;
        this.identified = true;
        this.people = new long[0];
        this.classes = new int[0];
        this.formed = new int[0];
        this.runs = new BitSet[0];
    }

    /**
     * Opens a file.
     *
     * @param digest the SHA-256 that its content must have
     */
    Snapshot(Path file, String digest) throws IOException {
        if (!digest(file).equals(digest)) {
            throw new InvalidInputException(
                    file + " was altered; restore the register's folder from its newest backup");
        }
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
        ByteBuffer head = read(2 * Integer.BYTES + 2);
        int version = head.getInt();
        if (version != VERSION && version != WITHOUT_RUNS) {
            throw new InvalidInputException(file + " has another format version");
        }
        this.identified = head.get() == 1;
        head.get();
        int count = head.getInt();
        this.people = new long[count];
        read(Long.BYTES * count).asLongBuffer().get(people);
        this.classes = ints(count);
        this.formed = ints(read(Integer.BYTES).getInt());
        this.runs = new BitSet[formed.length];
        boolean knowsRuns = version == VERSION;
        int words = knowsRuns ? read(Integer.BYTES).getInt() : 0;
        BitSet all = new BitSet();
        // Of those in an older file it is not known, so that all runs count.
        all.set(0, 1 + Arrays.stream(formed).max().orElse(0));
        for (int c = 0; c < runs.length; c++) {
            runs[c] = knowsRuns ? BitSet.valueOf(read(Long.BYTES * words).asLongBuffer()) : all;
        }
        while (channel.position() < channel.size()) {
            ByteBuffer column = read(1 + Integer.BYTES);
            boolean changed = column.get() == 1;
            String name = StandardCharsets.UTF_8.decode(read(column.getInt())).toString();
            columns.put(name, new Place(channel.position(), changed));
            channel.position(channel.position() + (changed ? 2L : 1L) * Integer.BYTES * count);
        }
    }

    private static String digest(Path file) throws IOException {
        MessageDigest digest = Sha256.digest();
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        try (FileChannel content = FileChannel.open(file, StandardOpenOption.READ)) {
            while (content.read(buffer.clear()) >= 0) {
                digest.update(buffer.flip());
            }
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(
                    file + " is missing; restore the register's folder from its newest backup", e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private ByteBuffer read(int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("a snapshot of a register is cut short");
            }
        }
        return buffer.flip();
    }

    private int[] ints(int count) throws IOException {
        int[] numbers = new int[count];
        read(Integer.BYTES * count).asIntBuffer().get(numbers);
        return numbers;
    }

    /** Whether people are known by their identities, rather than by what is written about them. */
    boolean isIdentified() {
        return identified;
    }

    long[] people() {
        return people;
    }

    /** The class of each person. */
    int[] classes() {
        return classes;
    }

    /** For each class, the number of the run that formed it. */
    int[] formed() {
        return formed;
    }

    /** For each class, the numbers of runs that its people were in: of those over the same classes, the first. */
    BitSet[] runs() {
        return runs;
    }

    Set<String> columns() {
        return columns.keySet();
    }

    /** The hash of each person's last cell in a column; 0 for those who never had one. */
    int[] cells(String column) throws IOException {
        if (!columns.containsKey(column)) {
            return new int[people.length];
        }
        channel.position(columns.get(column).position);
        return ints(people.length);
    }

    /** Whether somebody's cell in a column was ever changed. */
    boolean hasChanges(String column) {
        return columns.containsKey(column) && columns.get(column).changed;
    }

    /** The class of each person in a column, by the runs before which the person's cell was changed. */
    int[] changes(String column) throws IOException {
        if (!hasChanges(column)) {
            return new int[people.length];
        }
        channel.position(columns.get(column).position + (long) Integer.BYTES * people.length);
        return ints(people.length);
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    /** Writes a new snapshot, part by part. */
    static final class Writer implements Closeable {

        private final Path file;
        private final FileChannel channel;
        private final MessageDigest digest = Sha256.digest();
        private final DataOutputStream out;

        /** Begins a file, which keeps a provisional name until it is complete. */
        Writer(Path folder) throws IOException {
            this.file = folder.resolve("snapshot.new");
            Files.deleteIfExists(file);
            this.channel = OwnerOnly.open(file);
            OutputStream digested = new DigestOutputStream(OwnerOnly.stream(channel, file), digest);
            this.out = new DataOutputStream(new BufferedOutputStream(digested, CHUNK));
        }

        void head(boolean identified, long[] people, int[] classes, int[] formed, BitSet[] runs) throws IOException {
            out.writeInt(VERSION);
            out.writeByte(identified ? 1 : 0);
            out.writeByte(0);
            out.writeInt(people.length);
            for (long person : people) {
                out.writeLong(person);
            }
            write(classes);
            out.writeInt(formed.length);
            write(formed);
            int words = Arrays.stream(runs).mapToInt(BitSet::length).max().orElse(0) / Long.SIZE + 1;
            out.writeInt(words);
            for (BitSet one : runs) {
                for (long word : Arrays.copyOf(one.toLongArray(), words)) {
                    out.writeLong(word);
                }
            }
        }

        void column(String name, int[] cells, boolean changed, int[] changes) throws IOException {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            out.writeByte(changed ? 1 : 0);
            out.writeInt(text.length);
            out.write(text);
            write(cells);
            if (changed) {
                write(changes);
            }
        }

        private void write(int[] numbers) throws IOException {
            byte[] bytes = new byte[Math.min(CHUNK, Integer.BYTES * numbers.length)];
            for (int from = 0; from < numbers.length; from += CHUNK / Integer.BYTES) {
                int count = Math.min(CHUNK / Integer.BYTES, numbers.length - from);
                ByteBuffer.wrap(bytes).asIntBuffer().put(numbers, from, count);
                out.write(bytes, 0, Integer.BYTES * count);
            }
        }

        /** Completes the file under its final name; it is then on disk. Returns its SHA-256. */
        String complete() throws IOException {
            out.flush();
            channel.force(true);
            channel.close();
            String name = HexFormat.of().formatHex(digest.digest());
            // One that was registered before has the same name and the same content.
            Files.move(file, path(file.getParent(), name), StandardCopyOption.REPLACE_EXISTING);
            OwnerOnly.forceName(file);
            return name;
        }

        @Override
        public void close() throws IOException {
            channel.close();
            Files.deleteIfExists(file);
        }
    }

    /** The file of a snapshot with a given SHA-256. */
    static Path path(Path folder, String digest) {
        return folder.resolve("snapshot-" + digest.substring(0, 16));
    }
}
