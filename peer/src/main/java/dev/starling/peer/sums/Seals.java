package dev.starling.peer.sums;

import dev.starling.peer.trust.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The hashes and signatures beside sums, and how they travel in vectors: six bytes in each entry. */
final class Seals {

    private static final int ENTRY_BYTES = 6;

    /** The number of entries of one hash. */
    static final int HASH_LENGTH = (Sha256.BYTES + ENTRY_BYTES - 1) / ENTRY_BYTES;

    /** The number of entries of a site's seal: a hash of its addend, and one of what it passed on. */
    static final int LENGTH = 2 * HASH_LENGTH;

    /** The longest signature, in bytes: that of an RSA key of 8,192 bits. */
    private static final int LONGEST_SIGNATURE = 1024;

    /** The number of entries of a signature at most. */
    static final int SIGNATURE_LENGTH = 1 + LONGEST_SIGNATURE / ENTRY_BYTES + 1;

    private Seals() {}

    /** The salt of an addend's hash: nobody can derive it without the site's key, and the site always can. */
    static byte[] salt(byte[] key, byte[] question) {
        return Sha256.mac(key, "starling salt 1".getBytes(StandardCharsets.US_ASCII), question);
    }

    /** The hash of an addend, before it is masked. */
    static byte[] ofAddend(byte[] salt, byte[] question, double[] words) {
        return hash("starling addend 1", salt, question, words, 0);
    }

    /** The hash of masked words that go up the tree. */
    static byte[] ofPassedOn(byte[] question, double[] message, int from) {
        return hash("starling passed on 1", new byte[0], question, message, from);
    }

    private static byte[] hash(String what, byte[] salt, byte[] question, double[] words, int from) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * (words.length - from));
        bytes.asDoubleBuffer().put(words, from, words.length - from);
        return Sha256.of(what).put(salt).put(question).put(bytes.array()).value();
    }

    /** Writes bytes into the entries of a vector. */
    static void write(byte[] bytes, double[] vector, int at) {
        for (int k = 0; k < bytes.length; k++) {
            int entry = at + k / ENTRY_BYTES;
            vector[entry] = 256 * vector[entry] + (bytes[k] & 0xFF);
        }
    }

    /** Reads bytes from the entries of a vector, which may hold anything. */
    static byte[] read(double[] vector, int at, int count) {
        byte[] bytes = new byte[count];
        for (int first = 0; first < count; first += ENTRY_BYTES) {
            long entry = (long) vector[at + first / ENTRY_BYTES];
            for (int k = Math.min(ENTRY_BYTES, count - first) - 1; k >= 0; k--) {
                bytes[first + k] = (byte) entry;
                entry >>>= Byte.SIZE;
            }
        }
        return bytes;
    }

    /** A signature as entries, after its length. */
    static double[] entries(byte[] signature) {
        double[] entries = new double[1 + (signature.length + ENTRY_BYTES - 1) / ENTRY_BYTES];
        entries[0] = signature.length;
        write(signature, entries, 1);
        return entries;
    }

    /** The signature of entries, which may hold anything; empty if there is none. */
    static byte[] signature(double[] entries) {
        boolean sane = entries.length > 0 && entries[0] >= 0 && entries[0] <= ENTRY_BYTES * (entries.length - 1.0);
        return sane ? read(entries, 1, (int) entries[0]) : new byte[0];
    }
}
