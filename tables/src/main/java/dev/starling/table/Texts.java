package dev.starling.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Makes text of bytes, and the same object again of bytes that were met before: most cells repeat others. */
final class Texts {

    private static final int SLOTS = 1 << 12;
    private static final int LONGEST = 32;

    /** The text last met in each slot, and its bytes. */
    private final String[] texts = new String[SLOTS];

    private final byte[][] written = new byte[SLOTS][];

    /** The text of the bytes from one position to before another. */
    String of(byte[] bytes, int from, int to) {
        if (to - from > LONGEST) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
        int hash = to - from;
        for (int k = from; k < to; k++) {
            hash = 31 * hash + bytes[k];
        }
        int slot = (hash ^ hash >>> 12) & SLOTS - 1;
        byte[] known = written[slot];
        if (known == null || !Arrays.equals(known, 0, known.length, bytes, from, to)) {
            written[slot] = Arrays.copyOfRange(bytes, from, to);
            texts[slot] = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
        return texts[slot];
    }
}
