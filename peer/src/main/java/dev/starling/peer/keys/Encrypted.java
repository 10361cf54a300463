package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Bytes that nobody can read or alter without a key: AES-256-GCM, after a random initialisation vector. */
public final class Encrypted {

    private static final int IV_BYTES = 12;
    private static final int TAG_BITS = 128;

    private Encrypted() {}

    /** Encrypts content with a key of 32 bytes. */
    public static byte[] of(byte[] key, byte[] content) {
        byte[] iv = new byte[IV_BYTES];
        new SecureRandom().nextBytes(iv);
        try {
            byte[] hidden = crypt(Cipher.ENCRYPT_MODE, key, iv, content);
            byte[] all = Arrays.copyOf(iv, iv.length + hidden.length);
            System.arraycopy(hidden, 0, all, iv.length, hidden.length);
            return all;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES-GCM", e);
        }
    }

    /**
     * Decrypts what {@link #of} returned.
     *
     * @param otherwise what to say if it was altered, or encrypted with another key
     */
    public static byte[] open(byte[] key, byte[] encrypted, String otherwise) {
        int start = Math.min(IV_BYTES, encrypted.length);
        try {
            return crypt(
                    Cipher.DECRYPT_MODE,
                    key,
                    Arrays.copyOf(encrypted, IV_BYTES),
                    Arrays.copyOfRange(encrypted, start, encrypted.length));
        } catch (GeneralSecurityException e) {
            throw new InvalidInputException(otherwise, e);
        }
    }

    private static byte[] crypt(int mode, byte[] key, byte[] iv, byte[] content) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, iv));
        return cipher.doFinal(content);
    }
}
