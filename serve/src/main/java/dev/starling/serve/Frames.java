package dev.starling.serve;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.Members;
import dev.starling.internal.JsonTree;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The frames that go through a pipe: sixteen bytes with a mark and two lengths, a header in JSON, and the arrays that
 * it lists. Whoever reads decides by the header whether to take the arrays; what is left of a frame is skipped before
 * the next one. One thread reads; any thread may write.
 */
final class Frames {

    /** The first four bytes of every frame, STRL. */
    static final int MARK = 0x4c525453;

    /** The bytes of the mark and the two lengths. */
    static final int PREFIX = 16;

    private static final int LONGEST_HEADER = 1 << 24;
    private static final long LONGEST_ARRAYS = 1L << 60;
    private static final int BUFFER = 1 << 18;

    /** The longest array that every Java takes. */
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final ReadableByteChannel in;
    private final WritableByteChannel out;
    private final long most;
    private final ByteBuffer input = buffer();
    private final ByteBuffer output = buffer();
    private long left;

    /** @param most the bytes that the arrays of a frame may have */
    Frames(ReadableByteChannel in, WritableByteChannel out, long most) {
        this.in = in;
        this.out = out;
        this.most = most;
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** An array that a header announces. */
    private record Announced(String name, ArrayType type, int length) {

        long bytes() {
            return (long) length * type.bytes();
        }
    }

    /**
     * Skips what is left of the last frame and reads the header of the next one, if there is one.
     *
     * @throws InvalidInputException if the header cannot be used; the next frame can still be read
     * @throws IOException if the next frame cannot be found
     */
    Optional<Members> next() throws IOException {
        skip();
        if (!fill(PREFIX, true)) {
            return Optional.empty();
        }
        int mark = input.getInt(0);
        long header = Integer.toUnsignedLong(input.getInt(4));
        long arrays = input.getLong(8);
        if (mark != MARK || arrays < 0 || arrays > LONGEST_ARRAYS) {
            throw new IOException("the next frame does not begin with STRL and two lengths; start a new process");
        }
        left = header + arrays;
        if (header > LONGEST_HEADER) {
            throw new InvalidInputException("a header of " + header + " bytes; there may be " + LONGEST_HEADER
                    + ", so put numbers into arrays");
        }
        byte[] text = new byte[(int) header];
        read(ArrayType.U8, text);
        try {
            return Optional.of(Members.of("the header", JsonTree.parse(new String(text, StandardCharsets.UTF_8))));
        } catch (InvalidInputException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("the header, " + e.getMessage(), e);
        }
    }

    /**
     * Reads the arrays that the header announces.
     *
     * @throws InvalidInputException if they are not those of the frame, or too large for this process
     */
    Map<String, Object> arrays(Members header) throws IOException {
        List<Announced> announced = new ArrayList<>();
        for (Object each : header.list("arrays")) {
            Members one = Members.of("an array of the header", each);
            long length = one.whole("length", 0);
            if (length > LONGEST_ARRAY) {
                throw new InvalidInputException(
                        "an array of " + length + " elements; there may be at most " + LONGEST_ARRAY);
            }
            announced.add(new Announced(one.required("name"), ArrayType.named(one.required("type")), (int) length));
        }
        long bytes = announced.stream().mapToLong(Announced::bytes).sum();
        if (bytes != left) {
            throw new InvalidInputException("the header lists arrays of " + bytes + " bytes, but " + left
                    + " follow it; they must be the same");
        }
        if (bytes > most) {
            throw new TooLargeException(bytes, most);
        }
        Map<String, Object> arrays = new LinkedHashMap<>();
        for (Announced each : announced) {
            Object array = each.type.array(each.length);
            read(each.type, array);
            if (arrays.put(each.name, array) != null) {
                throw new InvalidInputException("the header lists two arrays '" + each.name + "'; names must differ");
            }
        }
        return arrays;
    }

    /** Ends a wait for the next frame, in whichever thread. */
    void closeInput() {
        try {
            in.close();
        } catch (IOException e) {
            // It is not read from again in any case.
        }
    }

    /** Thrown when arrays do not fit into the memory of this process. */
    static final class TooLargeException extends InvalidInputException {
        private TooLargeException(long bytes, long most) {
            super(String.format(
                    Locale.US,
                    "arrays of %.3g GB, of which this process takes at most %.3g GB; start it with a larger -Xmx, at"
                            + " least %.0fg",
                    bytes * 1e-9,
                    most * 1e-9,
                    // Collectors keep up to a ninth of the memory for themselves.
                    Math.ceil(bytes * 0x1p-30 * PipeServer.MEMORY_PER_BYTE * 9 / 8)));
        }
    }

    private void read(ArrayType type, Object array) throws IOException {
        int length = Array.getLength(array);
        int each = BUFFER / type.bytes();
        for (int at = 0; at < length; at += each) {
            int count = Math.min(each, length - at);
            fill(count * type.bytes(), false);
            left -= (long) count * type.bytes();
            type.get(input, array, at, count);
        }
    }

    private void skip() throws IOException {
        while (left > 0) {
            int some = (int) Math.min(left, BUFFER);
            fill(some, false);
            left -= some;
        }
    }

    /** Fills the buffer up to a length; at the end of the stream, returns false or, in the midst of a frame, fails. */
    private boolean fill(int length, boolean mayEnd) throws IOException {
        input.clear().limit(length);
        while (input.hasRemaining()) {
            if (in.read(input) < 0) {
                if (mayEnd && input.position() == 0) {
                    return false;
                }
                throw new EOFException("the stream ends in the midst of a frame");
            }
        }
        input.flip();
        return true;
    }

    /** Writes a frame; its header is extended by the list of arrays. */
    synchronized void write(Map<String, Object> header, Map<String, Object> arrays) throws IOException {
        Map<String, Object> complete = new LinkedHashMap<>(header);
        List<Map<String, Object>> listed = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<String, Object> array : arrays.entrySet()) {
            ArrayType type = ArrayType.of(array.getValue());
            int length = Array.getLength(array.getValue());
            bytes += (long) length * type.bytes();
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", array.getKey());
            one.put("type", type.text());
            one.put("length", length);
            listed.add(one);
        }
        complete.put("arrays", listed);
        byte[] text = JsonTree.text(complete).getBytes(StandardCharsets.UTF_8);
        output.clear();
        output.putInt(MARK).putInt(text.length).putLong(bytes);
        send();
        write(ArrayType.U8, text);
        for (Object array : arrays.values()) {
            write(ArrayType.of(array), array);
        }
    }

    private void write(ArrayType type, Object array) throws IOException {
        int length = Array.getLength(array);
        int each = BUFFER / type.bytes();
        for (int at = 0; at < length; at += each) {
            int count = Math.min(each, length - at);
            output.clear();
            type.put(output, array, at, count);
            output.position(count * type.bytes());
            send();
        }
    }

    private void send() throws IOException {
        output.flip();
        while (output.hasRemaining()) {
            out.write(output);
        }
    }
}
