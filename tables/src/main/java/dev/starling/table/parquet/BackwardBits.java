package dev.starling.table.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bits that are read backwards from the end of some bytes; the highest 1 bit only marks where they begin. */
final class BackwardBits {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] padded;
    private int left;

    BackwardBits(Bytes bytes) {
        int length = bytes.left();
        this.padded = Arrays.copyOf(bytes.take(length), length + Long.BYTES);
        if (length == 0 || padded[length - 1] == 0) {
            throw new CorruptException("bits without a mark where they begin");
        }
        int empty = Integer.numberOfLeadingZeros(padded[length - 1] & 0xff) - (Integer.SIZE - Byte.SIZE);
        this.left = length * Byte.SIZE - empty - 1;
    }

    /** How many bits are left; negative if more were taken than there were: those were zeros. */
    int left() {
        return left;
    }

    /** The next {@code count} bits, at most 56, as a number, without taking them. */
    long peek(int count) {
        int from = left - count;
        if (from >= 0) {
            return (long) LONGS.get(padded, from >>> 3) >>> (from & 7) & ((1L << count) - 1);
        }
        return left <= 0 ? 0 : ((long) LONGS.get(padded, 0) & ((1L << left) - 1)) << -from;
    }

    /** Takes the next {@code count} bits as a number. */
    int take(int count) {
        long value = peek(count);
        left -= count;
        return (int) value;
    }

    /** Checks that no bits are left over or missing. */
    void requireEnd() {
        if (left != 0) {
            throw new CorruptException(left > 0 ? "bits are left over" : "bits are missing");
        }
    }
}
