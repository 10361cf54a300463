package dev.starling.data.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts a stream of text into chunks of whole lines. */
public final class LineChunks {

    private static final int LARGEST_BUFFER = Integer.MAX_VALUE - 8;

    private final InputStream in;
    private byte[] carry = {};
    private int carried;
    private boolean ended;

    public LineChunks(InputStream in) {
        this.in = in;
    }

    /** Some whole lines: {@code length} bytes, the last of which is a line end. */
    public static final class Chunk {
        public final byte[] bytes;
        public final int length;

        Chunk(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }
    }

    /**
     * Fills a buffer with whole lines; replaces it with a larger one if a line does not fit.
     *
     * @return a chunk of length 0 at the end of the stream
     */
    public Chunk next(byte[] buffer) throws IOException {
        byte[] bytes = buffer;
        if (carried >= bytes.length - 1) {
            bytes = new byte[grown(carried)];
        }
        System.arraycopy(carry, 0, bytes, 0, carried);
        int length = carried;
        carried = 0;
        while (true) {
            int scanned = length;
            // One byte stays free for the line end that the last line may lack.
            length = fill(bytes, length);
            if (ended) {
                if (length > 0 && bytes[length - 1] != '\n') {
                    bytes[length++] = '\n';
                }
                return new Chunk(bytes, length);
            }
            int cut = lastLineEnd(bytes, scanned, length);
            if (cut >= 0) {
                keep(bytes, cut + 1, length);
                return new Chunk(bytes, cut + 1);
            }
            bytes = Arrays.copyOf(bytes, grown(length));
        }
    }

    private int fill(byte[] bytes, int from) throws IOException {
        int length = from;
        while (length < bytes.length - 1) {
            int read = in.read(bytes, length, bytes.length - 1 - length);
            if (read < 0) {
                ended = true;
                break;
            }
            length += read;
        }
        return length;
    }

    private void keep(byte[] bytes, int from, int to) {
        carried = to - from;
        if (carry.length < carried) {
            carry = new byte[carried];
        }
        System.arraycopy(bytes, from, carry, 0, carried);
    }

    private static int lastLineEnd(byte[] bytes, int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static int grown(int length) throws IOException {
        if (length >= LARGEST_BUFFER - 1) {
            throw new IOException("a line is longer than 2 GB");
        }
        return (int) Math.min(LARGEST_BUFFER, 2L * length + 16);
    }
}
