package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;

/** The password of an encrypted key: the first line of a file, or typed by somebody. It is never shown. */
public final class Password {

    private final Supplier<char[]> source;

    private Password(Supplier<char[]> source) {
        this.source = source;
    }

    /** A password in a file that only its owner may read; the file is read each time the password is needed. */
    public static Password inFile(Path file) {
        return new Password(() -> {
            CharBuffer text = StandardCharsets.UTF_8.decode(
                    ByteBuffer.wrap(OwnerOnly.read(file, "a password", "put the password into its first line")));
            char[] all = Arrays.copyOf(text.array(), text.limit());
            int end = 0;
            while (end < all.length && all[end] != '\n' && all[end] != '\r') {
                end++;
            }
            if (end == 0) {
                throw new InvalidInputException(file + " has no password in its first line");
            }
            return Arrays.copyOf(all, end);
        });
    }

    /** A password that somebody typed. */
    public static Password typed(char[] characters) {
        char[] kept = characters.clone();
        return new Password(kept::clone);
    }

    /** Returns the characters, which the caller must wipe. */
    char[] characters() {
        return source.get();
    }

    @Override
    public String toString() {
        return "(a password)";
    }
}
