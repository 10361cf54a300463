package dev.starling.peer.trust;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A SHA-256 digest of numbers and texts under a label, so that two kinds of digest never cover the same bytes. */
public final class Sha256 {

    /** The length of a digest, in bytes. */
    public static final int BYTES = 32;

    private static final String MAC = "HmacSHA256";

    private final MessageDigest digest;
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

    private Sha256(String label) {
        this.digest = digest();
        digest.update(label.isEmpty() ? new byte[0] : label(label));
    }

    /** A digest of what is streamed. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The digest of bytes, in hexadecimal. */
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    /** The digest of a text, in hexadecimal. */
    public static String hex(String text) {
        return hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A digest without a label, for parts of fixed lengths. */
    public static Sha256 plain() {
        return new Sha256("");
    }

    /** A digest that begins with a label and a zero. */
    public static Sha256 of(String label) {
        return new Sha256(label);
    }

    private static byte[] label(String text) {
        return (text + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** Adds an integer. */
    public Sha256 put(int value) {
        digest.update(number.clear().putInt(value).array(), 0, Integer.BYTES);
        return this;
    }

    /** Adds an integer. */
    public Sha256 put(long value) {
        digest.update(number.clear().putLong(value).array(), 0, Long.BYTES);
        return this;
    }

    /** Adds a number. */
    public Sha256 put(double value) {
        return put(Double.doubleToRawLongBits(value));
    }

    /** Adds bytes. */
    public Sha256 put(byte[] bytes) {
        digest.update(bytes);
        return this;
    }

    /** Adds bytes, preceded by their number. */
    public Sha256 putCounted(byte[] bytes) {
        return put(bytes.length).put(bytes);
    }

    /** The digest of all that was added. */
    public byte[] value() {
        return digest.digest();
    }

    /** HMAC-SHA-256, which is also HKDF's extract step. */
    public static byte[] mac(byte[] key, byte[]... parts) {
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
    public static byte[] expand(byte[] pseudorandomKey, String label, byte[] info) {
        return mac(pseudorandomKey, label(label), info, new byte[] {1});
    }
}
