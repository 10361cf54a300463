package dev.starling.data.text;

import dev.starling.data.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/** The text of a file or stream while it is read: decompressed, with its first lines at hand. */
public final class TextSource {

    private static final int USUAL_OPENING = 1 << 16;
    private static final int LARGEST_OPENING = (1 << 29) - 1;

    /** Does something with an open text. */
    @FunctionalInterface
    public interface Reading<T> {
        /** Reads a text, which is closed afterwards. */
        T read(TextSource text) throws IOException;
    }

    @FunctionalInterface
    private interface Opened<T> {
        T read(InputStream in, long size) throws IOException;
    }

    private final String name;
    private final long size;
    private final Counted file;
    private final InputStream rest;
    private final byte[] start;

    private TextSource(String name, long size, Counted file, InputStream rest, byte[] start) {
        this.name = name;
        this.size = size;
        this.file = file;
        this.rest = rest;
        this.start = start;
    }

    /**
     * Opens a file, reads it, and closes it.
     *
     * @throws InvalidInputException if it is missing or cannot be read
     */
    public static <T> T read(Path file, Reading<T> reading) {
        return opened(file, (in, size) -> decompressed(in, file.toString(), size, reading));
    }

    /**
     * Reads a stream, without closing it.
     *
     * @param name what to call it in messages, such as {@code standard input}
     * @throws InvalidInputException if it cannot be read
     */
    public static <T> T read(InputStream in, String name, Reading<T> reading) {
        return decompressed(in, name, -1, reading);
    }

    /**
     * The first bytes of a file as they are, still compressed.
     *
     * @throws InvalidInputException if it is missing or cannot be read
     */
    public static byte[] firstBytes(Path file, int most) {
        return opened(file, (in, size) -> in.readNBytes(most));
    }

    /** Its name in messages. */
    public String name() {
        return name;
    }

    /** The size of the file in bytes, as it is on disk; −1 if unknown. */
    public long size() {
        return size;
    }

    /** How many bytes of the file have been read so far. */
    public long bytesRead() {
        return file.bytes;
    }

    /** The beginning of the text: the first two lines that are not blank, at least, if there are two. */
    public byte[] start() {
        return start.clone();
    }

    /** The text after its first bytes, which must lie within its beginning; to be called once. */
    public InputStream after(int skipped) {
        return new SequenceInputStream(new ByteArrayInputStream(start, skipped, start.length - skipped), rest);
    }

    private static <T> T opened(Path file, Opened<T> reading) {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            throw new InvalidInputException(name + " is a directory; give one of the files in it");
        }
        boolean regular = Files.isRegularFile(file);
        // The stream of a channel queries its position, which a pipe does not have.
        try (InputStream in =
                regular || Files.notExists(file) ? Files.newInputStream(file) : new FileInputStream(file.toFile())) {
            return reading.read(in, regular ? Files.size(file) : -1);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(name + " does not exist; give the path of a LIBSVM or CSV file", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(name, e);
        }
    }

    private static <T> T decompressed(InputStream in, String name, long size, Reading<T> reading) {
        Counted counted = new Counted(in);
        BufferedInputStream compressed = Decompression.buffered(counted);
        Decompression decompression = Decompression.NONE;
        try {
            decompression = Decompression.of(compressed, name);
            InputStream text = decompression.open(compressed);
            return reading.read(new TextSource(name, size, counted, text, beginning(text, name)));
        } catch (IOException e) {
            throw new InvalidInputException(unreadable(name, decompression, e), e);
        }
    }

    private static byte[] beginning(InputStream text, String name) throws IOException {
        byte[] start = text.readNBytes(USUAL_OPENING);
        while (start.length >= USUAL_OPENING && firstLinesAreCut(start)) {
            byte[] more = text.readNBytes(start.length);
            // No text holds a zero, so what does need not be read to its first line end.
            if (more.length == 0 || start[start.length - 1] == 0) {
                break;
            }
            if (start.length > LARGEST_OPENING) {
                throw new InvalidInputException(
                        name + ": its first two lines are longer than 512 MiB; end every row with a line break");
            }
            int length = start.length;
            start = Arrays.copyOf(start, length + more.length);
            System.arraycopy(more, 0, start, length, more.length);
        }
        return start;
    }

    /** Whether there are fewer than two complete lines that are not blank. */
    private static boolean firstLinesAreCut(byte[] start) {
        int lines = 0;
        boolean blank = true;
        for (byte c : start) {
            if (c == '\n') {
                lines += blank ? 0 : 1;
                blank = true;
            } else if (c > ' ' || c < 0) {
                blank = false;
            }
            if (lines == 2) {
                return false;
            }
        }
        return true;
    }

    private static String unreadable(String name, Decompression decompression, IOException e) {
        if (decompression == Decompression.NONE || e instanceof InterruptedIOException) {
            return name + " cannot be read: " + e.getMessage();
        }
        boolean cut =
                e instanceof EOFException || String.valueOf(e.getMessage()).contains("nexpected end of");
        return name + ": the " + decompression.label() + " data "
                + (cut ? "ends too early, the file is truncated" : "is corrupt")
                + "; copy or download it again";
    }

    /** Counts the bytes read from a file. */
    private static final class Counted extends FilterInputStream {
        private long bytes;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int c = super.read();
            bytes += c < 0 ? 0 : 1;
            return c;
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            int read = super.read(buffer, from, length);
            bytes += Math.max(0, read);
            return read;
        }
    }
}
