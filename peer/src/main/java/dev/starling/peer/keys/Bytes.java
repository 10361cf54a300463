package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import dev.starling.node.State;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Values as bytes, for files and for other sites: one description of their fields writes and reads them. */
public final class Bytes {

    private Bytes() {}

    /** Writes a value. */
    public static <T> byte[] of(T value, State.Element<T> fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            fields.state(State.saving(new DataOutputStream(bytes)), value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #of} wrote, from bytes that may be anything.
     *
     * @param blank takes the value's place while it is read
     * @param what what to call it in messages
     * @throws InvalidInputException if it is not one, or if something follows it
     */
    public static <T> T read(byte[] content, T blank, State.Element<T> fields, String what) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
            T value = fields.state(State.restoring(in), blank);
            if (in.available() > 0) {
                throw new IOException("there are bytes after its end");
            }
            return value;
        } catch (IOException e) {
            String why = e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
            throw new InvalidInputException(what + " is cut short, or is something else" + why, e);
        }
    }

    /** Saves or restores bytes of which there are always as many. */
    public static byte[] fixed(State s, byte[] bytes, int length) throws IOException {
        byte[] same = s.bytes(bytes, length);
        if (same.length != length) {
            throw new IOException(same.length + " bytes instead of " + length);
        }
        return same;
    }

    /** Saves or restores what everything of one kind begins with. */
    public static void title(State s, String title) throws IOException {
        if (!s.text(title).equals(title)) {
            throw new IOException("it does not begin with '" + title + "'");
        }
    }
}
