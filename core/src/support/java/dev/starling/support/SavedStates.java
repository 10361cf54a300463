package dev.starling.support;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** States as bytes, for tests that save and restore. */
public final class SavedStates {

    private SavedStates() {}

    /** The saved state of an object. */
    public static byte[] of(Stateful object) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            object.state(State.saving(new DataOutputStream(bytes)));
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Restores an object, which must use the state to the last byte. */
    public static void restore(Stateful object, byte[] state) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(state));
        object.state(State.restoring(in));
        if (in.read() >= 0) {
            throw new AssertionError("more was saved than is restored");
        }
    }

    /** Gives another object the state of this one, by way of its bytes. */
    public static <T extends Stateful> T copy(Stateful from, T to) {
        try {
            restore(to, of(from));
            return to;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
