package dev.starling.peer.sums;

import dev.starling.node.SumWords;
import dev.starling.peer.trust.Sha256;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The masks of a site: one stream for each of the other sites, known only to the two of them, which one adds and the
 * other subtracts. They cancel in the total over all sites; in any partial sum they hide everything.
 */
final class Masks {

    private static final int WORD_BYTES = 24;
    private static final int LIMB_BYTES = SumWords.LIMB_BITS / Byte.SIZE;
    private static final byte[] NO_IV = new byte[16];

    /** The number of words that are masked at a time. */
    private static final int CHUNK_WORDS = 1024;

    private final int self;
    private final byte[][] publicKeys;
    private final byte[][] pairKeys;

    /**
     * Creates the masks of a site.
     *
     * @param publicKeys the X25519 public keys of all sites
     * @param pairKeys the secrets that the site shares with each of the others; its own entry is ignored
     */
    Masks(int self, byte[][] publicKeys, byte[][] pairKeys) {
        this.self = self;
        this.publicKeys = publicKeys;
        this.pairKeys = pairKeys;
    }

    /** Masks words in place, for one question only. */
    void apply(byte[] question, double[] words) {
        for (int other = 0; other < publicKeys.length; other++) {
            if (other != self) {
                apply(other, question, words);
            }
        }
    }

    /** Applies only the mask that this site shares with one other site. */
    void apply(int other, byte[] question, double[] words) {
        Cipher stream = stream(key(pairKeys[other], self, other, publicKeys, question));
        double[] mask = new double[SumWords.LIMBS * CHUNK_WORDS];
        byte[] zeros = new byte[WORD_BYTES * CHUNK_WORDS];
        for (int from = 0; from < words.length; from += mask.length) {
            int count = Math.min(mask.length, words.length - from);
            limbs(stream.update(zeros, 0, count * LIMB_BYTES), mask);
            double[] part = count == words.length ? words : Arrays.copyOfRange(words, from, from + count);
            if (self < other) {
                SumWords.add(part, mask, 0, count);
            } else {
                SumWords.subtract(part, mask, 0, count);
            }
            if (part != words) {
                System.arraycopy(part, 0, words, from, count);
            }
        }
    }

    /** Derives the key of two sites' stream for a question. */
    static byte[] key(byte[] pairKey, int one, int other, byte[][] publicKeys, byte[] question) {
        int lower = Math.min(one, other);
        int upper = Math.max(one, other);
        ByteBuffer info = ByteBuffer.allocate(
                        2 * Integer.BYTES + publicKeys[lower].length + publicKeys[upper].length + question.length)
                .putInt(lower)
                .putInt(upper)
                .put(publicKeys[lower])
                .put(publicKeys[upper])
                .put(question);
        return Sha256.expand(pairKey, "starling mask 1", info.array());
    }

    /** Creates an AES-256 key stream in counter mode, starting from zero; the key is used for nothing else. */
    static Cipher stream(byte[] key) {
        try {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(NO_IV));
            return cipher;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES in counter mode", e);
        }
    }

    /** Converts little-endian bytes to the limbs of words. */
    private static void limbs(byte[] bytes, double[] limbs) {
        for (int k = 0; k < bytes.length / LIMB_BYTES; k++) {
            long limb = 0;
            for (int b = LIMB_BYTES - 1; b >= 0; b--) {
                limb = (limb << Byte.SIZE) | (bytes[LIMB_BYTES * k + b] & 0xFF);
            }
            limbs[k] = limb;
        }
    }
}
