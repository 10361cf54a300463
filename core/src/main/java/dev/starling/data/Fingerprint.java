package dev.starling.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 of what a dataset says: its size, labels, weights and non-zero values. Equal for the same rows in either
 * layout and on every machine; different, for all practical purposes, for any others.
 */
public final class Fingerprint {

    private static final int BUFFER = 1 << 15;
    private static final int LARGEST_ENTRY = 16;

    private final MessageDigest digest;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

    private Fingerprint() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The fingerprint as 64 hexadecimal digits. */
    public static String of(Dataset rows) {
        Fingerprint fingerprint = new Fingerprint();
        fingerprint.add(rows);
        return HexFormat.of().formatHex(fingerprint.digest.digest());
    }

    private void add(Dataset rows) {
        buffer.putInt(rows.rows()).putInt(rows.features()).putInt(rows.isWeighted() ? 1 : 0);
        float[] values = rows.values();
        int[] columns = rows.columns();
        boolean dense = rows.isDense();
        for (int i = 0; i < rows.rows(); i++) {
            makeRoom();
            buffer.putDouble(rows.label(i) + 0.0);
            if (rows.isWeighted()) {
                buffer.putDouble(rows.weight(i));
            }
            int start = rows.start(i);
            int end = rows.end(i);
            for (int k = start; k < end; k++) {
                if (values[k] != 0f) {
                    makeRoom();
                    buffer.putInt(dense ? k - start : columns[k]).putInt(Float.floatToIntBits(values[k]));
                }
            }
            makeRoom();
            // No column is negative: this ends the row.
            buffer.putInt(-1);
        }
        flush();
    }

    private void makeRoom() {
        if (buffer.remaining() < LARGEST_ENTRY) {
            flush();
        }
    }

    private void flush() {
        digest.update(buffer.array(), 0, buffer.position());
        buffer.clear();
    }
}
