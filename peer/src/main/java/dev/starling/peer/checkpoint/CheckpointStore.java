package dev.starling.peer.checkpoint;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.trust.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The checkpoints of one run at one site: a directory of numbered files, of which the newest few are kept.
 *
 * <p>A file is written under a temporary name, forced to disk and renamed, so that a file under its final name is
 * always complete. It begins with a magic number, the version of the format and the length of its content, and ends
 * with the SHA-256 of everything before it; a file that fails these checks is set aside and the one before it is used.
 * Only one process at a time may hold the directory, and only its owner may read it.
 */
public final class CheckpointStore implements AutoCloseable {

    private static final byte[] MAGIC = "STARLING".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 10;
    private static final int HEADER_BYTES = MAGIC.length + 2 * Integer.BYTES;
    private static final Pattern NAME = Pattern.compile("checkpoint-(\\d{9})\\.bin");

    private final Path directory;
    private final int keep;
    private final Consumer<String> warnings;
    private final FileChannel lockFile;
    private final FileLock lock;
    private long next;

    private CheckpointStore(
            Path directory, int keep, Consumer<String> warnings, FileChannel lockFile, FileLock lock, long next) {
        this.directory = directory;
        this.keep = keep;
        this.warnings = warnings;
        this.lockFile = lockFile;
        this.lock = lock;
        this.next = next;
    }

    /**
     * Opens a directory, creating it if necessary.
     *
     * @param keep how many checkpoints are kept
     * @param warnings receives a message about every damaged file
     * @throws InvalidInputException if it cannot be used, or another process holds it
     */
    public static CheckpointStore open(Path directory, int keep, Consumer<String> warnings) {
        try {
            OwnerOnly.directory(directory);
            FileChannel lockFile = OwnerOnly.open(directory.resolve("lock"));
            FileLock lock = tryLock(lockFile);
            if (lock == null) {
                lockFile.close();
                throw new InvalidInputException(
                        directory + " is in use by another process; only one peer may run per site");
            }
            long last = -1;
            for (Path file : files(directory)) {
                last = Math.max(last, number(file));
            }
            return new CheckpointStore(directory, keep, warnings, lockFile, lock, last + 1);
        } catch (IOException e) {
            throw new InvalidInputException(directory + " cannot be used for checkpoints: " + describe(e), e);
        }
    }

    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** The content of the newest checkpoint that is intact; damaged ones are set aside with a warning. */
    public Optional<byte[]> newest() throws IOException {
        List<Path> files = files(directory);
        files.sort(Comparator.comparingLong(CheckpointStore::number).reversed());
        for (Path file : files) {
            try {
                return Optional.of(read(file));
            } catch (DamagedException e) {
                Path aside = file.resolveSibling(file.getFileName() + ".damaged");
                Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
                warnings.accept(file.getFileName() + " is damaged (" + e.getMessage() + ") and was set aside as "
                        + aside.getFileName() + "; the one before it is used");
            }
        }
        return Optional.empty();
    }

    /**
     * Writes a checkpoint, which is durable when this returns, and deletes the oldest ones beyond the number to keep.
     *
     * @throws IOException if it cannot be written; earlier ones are left untouched
     */
    public void write(byte[] content) throws IOException {
        Path file = directory.resolve(String.format("checkpoint-%09d.bin", next));
        byte[] header = header(content.length);
        byte[] checksum = Sha256.plain().put(header).put(content).value();
        OwnerOnly.replace(file, header, content, checksum);
        next++;
        List<Path> files = files(directory);
        files.sort(Comparator.comparingLong(CheckpointStore::number).reversed());
        for (Path old : files.subList(Math.min(keep, files.size()), files.size())) {
            Files.deleteIfExists(old);
        }
    }

    /** Deletes all checkpoints, because the run they belong to never began. */
    public void discard() throws IOException {
        for (Path file : files(directory)) {
            Files.deleteIfExists(file);
        }
    }

    private static byte[] header(int length) {
        return ByteBuffer.allocate(HEADER_BYTES)
                .put(MAGIC)
                .putInt(VERSION)
                .putInt(length)
                .array();
    }

    private static byte[] read(Path file) throws IOException, DamagedException {
        byte[] all = Files.readAllBytes(file);
        int length = all.length - HEADER_BYTES - Sha256.BYTES;
        if (length < 0) {
            throw new DamagedException("it has only " + all.length + " bytes");
        }
        ByteBuffer header = ByteBuffer.wrap(header(length));
        int wrong = header.mismatch(ByteBuffer.wrap(all, 0, HEADER_BYTES));
        if (wrong >= 0) {
            throw new DamagedException(
                    wrong < MAGIC.length
                            ? "it does not begin like a checkpoint"
                            : wrong < MAGIC.length + Integer.BYTES
                                    ? "its format version is "
                                            + ByteBuffer.wrap(all).getInt(MAGIC.length) + ", not " + VERSION
                                    : "it has " + length + " bytes of content, and says otherwise");
        }
        byte[] content = Arrays.copyOfRange(all, HEADER_BYTES, HEADER_BYTES + length);
        byte[] checksum = Arrays.copyOfRange(all, HEADER_BYTES + length, all.length);
        if (!Arrays.equals(
                checksum, Sha256.plain().put(header.array()).put(content).value())) {
            throw new DamagedException("its checksum is wrong");
        }
        return content;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return new ArrayList<>(entries.filter(
                            path -> NAME.matcher(path.getFileName().toString()).matches())
                    .toList());
        }
    }

    private static long number(Path file) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }

    /** Describes a file system error, without the path that its message begins with. */
    public static String describe(IOException e) {
        String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }

    /** The directory of the checkpoints. */
    public Path directory() {
        return directory;
    }

    /** Releases the directory for other processes. */
    @Override
    public void close() {
        try {
            lock.release();
            lockFile.close();
        } catch (IOException e) {
            warnings.accept("the lock of " + directory + " could not be released: " + describe(e));
        }
    }

    private static final class DamagedException extends Exception {
        DamagedException(String message) {
            super(message);
        }
    }
}
