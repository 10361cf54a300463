package dev.starling.node;

import java.nio.charset.StandardCharsets;

/** Encodes text as vectors: a length in bytes, then integers of 48 bits, which a double holds exactly. */
final class EncodedText {

    /** The number of bytes of the longest text; longer ones are truncated. */
    static final int LONGEST_TEXT = 4096;

    /** The number of entries of the longest encoded text. */
    static final int LONGEST = 1 + (LONGEST_TEXT + 5) / 6;

    private static final int BYTES = 6;

    private EncodedText() {}

    static double[] of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, LONGEST_TEXT);
        double[] words = new double[1 + (length + BYTES - 1) / BYTES];
        words[0] = length;
        for (int k = 0; k < length; k++) {
            words[1 + k / BYTES] += (double) ((bytes[k] & 0xFFL) << (8 * (k % BYTES)));
        }
        return words;
    }

    /**
     * The text that begins at an entry. An impossible length, which another machine may have sent, is cut to what is
     * there.
     */
    static String text(double[] words, int from) {
        int room = (words.length - from - 1) * BYTES;
        byte[] bytes = new byte[(int) Math.max(0, Math.min(words[from], Math.min(room, LONGEST_TEXT)))];
        for (int k = 0; k < bytes.length; k++) {
            bytes[k] = (byte) ((long) words[from + 1 + k / BYTES] >> (8 * (k % BYTES)));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
