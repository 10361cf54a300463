package dev.starling.peer.sums;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A SHA-256 digest of numbers and texts under a label, so that two kinds of digest never cover the same bytes. */
final class Sha256 {

    /** The length of a digest, in bytes. */
    static final int BYTES = 32;

    private static final String MAC = "HmacSHA256";

    private final MessageDigest digest;
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

    private Sha256(String label) {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        digest.update(label.isEmpty() ? new byte[0] : label(label));
    }

    /** A digest without a label, for parts of fixed lengths. */
    static Sha256 plain() {
        return new Sha256("");
    }

    /** A digest that begins with a label and a zero. */
    static Sha256 of(String label) {
        return new Sha256(label);
    }

    private static byte[] label(String text) {
        return (text + "\0").getBytes(StandardCharsets.UTF_8);
    }

    Sha256 put(int value) {
        digest.update(number.clear().putInt(value).array(), 0, Integer.BYTES);
        return this;
    }

    Sha256 put(long value) {
        digest.update(number.clear().putLong(value).array(), 0, Long.BYTES);
        return this;
    }

    Sha256 put(double value) {
        return put(Double.doubleToRawLongBits(value));
    }

    Sha256 put(byte[] bytes) {
        digest.update(bytes);
        return this;
    }

    /** Adds bytes, preceded by their number. */
    Sha256 putCounted(byte[] bytes) {
        return put(bytes.length).put(bytes);
    }

    byte[] value() {
        return digest.digest();
    }

    /** HMAC-SHA-256, which is also HKDF's extract step. */
    static byte[] mac(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", e);
        }
    }

    /** HKDF's expand step to one block, under a label. */
    static byte[] expand(byte[] pseudorandomKey, String label, byte[] info) {
        return mac(pseudorandomKey, label(label), info, new byte[] {1});
    }
}
