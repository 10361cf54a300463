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

    private static final int NUMBERS = 1 << 13;

    private final MessageDigest digest;
    private final int[] numbers = new int[NUMBERS];
    private final ByteBuffer bytes =
            ByteBuffer.allocate(NUMBERS * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private int count;

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
        add(rows.rows());
        add(rows.features());
        add((rows.isWeighted() ? 1 : 0) + (rows.isShifted() ? 2 : 0));
        for (int i = 0; i < rows.rows(); i++) {
            addRow(rows, i);
        }
        flush();
    }

    private void addRow(Dataset rows, int row) {
        add(rows.label(row) + 0.0);
        if (rows.isWeighted()) {
            add(rows.weight(row));
        }
        if (rows.isShifted()) {
            add(rows.shift(row));
        }
        float[] values = rows.values();
        int[] columns = rows.columns();
        boolean dense = rows.isDense();
        int start = rows.start(row);
        int end = rows.end(row);
        for (int k = start; k < end; k++) {
            if (values[k] != 0f) {
                add(dense ? k - start : columns[k]);
                add(Float.floatToIntBits(values[k]));
            }
        }
        // No column is negative: this ends the row.
        add(-1);
    }

    private void add(double number) {
        long bits = Double.doubleToLongBits(number);
        add((int) bits);
        add((int) (bits >>> Integer.SIZE));
    }

    private void add(int number) {
        if (count == NUMBERS) {
            flush();
        }
        numbers[count++] = number;
    }

    private void flush() {
        bytes.asIntBuffer().put(numbers, 0, count);
        digest.update(bytes.array(), 0, count * Integer.BYTES);
        count = 0;
    }
}
