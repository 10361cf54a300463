package dev.starling.peer.cohort;

import dev.starling.peer.trust.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hashes of cells that are useless to anybody without the site's key: AES-256 of a column's name, hashed, and a cell.
 */
final class KeyedHash {

    private static final int BLOCK = 16;
    private static final int AT_ONCE = 2048;

    private final byte[] key;
    private final Cipher cipher;

    KeyedHash(byte[] key) {
        this.key = key.clone();
        try {
            this.cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES", e);
        }
    }

    /** The same, for another thread. */
    KeyedHash again() {
        return new KeyedHash(key);
    }

    /** A number for a name. */
    long tag(String name) {
        return ByteBuffer.wrap(Sha256.mac(key, name.getBytes(StandardCharsets.UTF_8)))
                .getLong();
    }

    /** Replaces each number by its hash. */
    void hash(long tag, long[] numbers) {
        byte[] plain = new byte[BLOCK * Math.min(AT_ONCE, numbers.length)];
        byte[] hashed = new byte[plain.length];
        ByteBuffer in = ByteBuffer.wrap(plain);
        ByteBuffer out = ByteBuffer.wrap(hashed);
        for (int from = 0; from < numbers.length; from += AT_ONCE) {
            int count = Math.min(AT_ONCE, numbers.length - from);
            in.clear();
            for (int k = 0; k < count; k++) {
                in.putLong(tag).putLong(numbers[from + k]);
            }
            try {
                cipher.update(plain, 0, BLOCK * count, hashed, 0);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("whole blocks can always be encrypted", e);
            }
            for (int k = 0; k < count; k++) {
                numbers[from + k] = out.getLong(BLOCK * k);
            }
        }
        Arrays.fill(plain, (byte) 0);
    }
}
