package dev.starling.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/**
 * A short hash of a dataset's content: its size, labels, weights, offsets and non-zero values. It is the same for the
 * same rows in either layout and on every machine, and different rows do not share one by accident.
 *
 * <p>There are two: {@link #of}, which takes no longer than a pass over the rows and is part of every model, and
 * {@link #binding}, for which nobody can construct other rows even on purpose. In a short run the second would take
 * about as long as the training, since Java's digests are slow until the JIT has compiled them.
 */
public final class Fingerprint {

    private Fingerprint() {}

    /** A fingerprint of 32 hexadecimal digits. It does not resist deliberate collisions. */
    public static String of(Dataset rows) {
        Mixture mixture = new Mixture();
        emit(rows, mixture);
        return mixture.digits();
    }

    /** The SHA-256 of the rows: whoever has published it can later present these rows for it, and no others. */
    public static byte[] binding(Dataset rows) {
        Digest digest = new Digest();
        emit(rows, digest);
        return digest.value();
    }

    /** Emits the dataset as a sequence of numbers from which it could be reconstructed. */
    private static void emit(Dataset rows, LongConsumer words) {
        words.accept(((long) rows.features() << Integer.SIZE) | rows.rows());
        words.accept((rows.isWeighted() ? 1 : 0) + (rows.hasOffsets() ? 2 : 0));
        float[] values = rows.values();
        int[] columns = rows.columns();
        boolean dense = rows.isDense();
        for (int row = 0; row < rows.rows(); row++) {
            words.accept(Double.doubleToLongBits(rows.label(row) + 0.0));
            if (rows.isWeighted()) {
                words.accept(Double.doubleToLongBits(rows.weight(row)));
            }
            if (rows.hasOffsets()) {
                words.accept(Double.doubleToLongBits(rows.offset(row)));
            }
            int start = rows.start(row);
            int end = rows.end(row);
            for (int k = start; k < end; k++) {
                if (values[k] != 0f) {
                    long column = dense ? k - start : columns[k];
                    words.accept((column << Integer.SIZE) | Integer.toUnsignedLong(Float.floatToIntBits(values[k])));
                }
            }
            // No column is negative: this ends the row.
            words.accept(-1);
        }
    }

    /**
     * Two chains of 64 bits. Every step is invertible, in the chain as well as in the number that is mixed in, so
     * nothing is lost.
     */
    private static final class Mixture implements LongConsumer {

        private static final HexFormat HEX = HexFormat.of();

        // Odd, with about half of their bits set: from the golden ratio, and from MurmurHash3's finaliser.
        private static final long FIRST = 0x9e3779b97f4a7c15L;
        private static final long SECOND = 0xff51afd7ed558ccdL;
        private static final long LAST = 0xc4ceb9fe1a85ec53L;

        private long a = FIRST;
        private long b = SECOND;

        @Override
        public void accept(long word) {
            a = (a ^ word) * FIRST;
            a ^= a >>> 32;
            b = (Long.rotateLeft(b, 27) + word) * SECOND;
            b ^= b >>> 29;
        }

        String digits() {
            return HEX.toHexDigits(spread(a)) + HEX.toHexDigits(spread(b + a * LAST));
        }

        private static long spread(long bits) {
            long once = (bits ^ (bits >>> 33)) * SECOND;
            long twice = (once ^ (once >>> 33)) * LAST;
            return twice ^ (twice >>> 33);
        }
    }

    private static final class Digest implements LongConsumer {

        private final MessageDigest sha256;
        private final ByteBuffer block = ByteBuffer.allocate(1 << 14).order(ByteOrder.LITTLE_ENDIAN);

        Digest() {
            try {
                sha256 = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        @Override
        public void accept(long word) {
            if (!block.hasRemaining()) {
                flush();
            }
            block.putLong(word);
        }

        byte[] value() {
            flush();
            return sha256.digest();
        }

        private void flush() {
            sha256.update(block.array(), 0, block.position());
            block.clear();
        }
    }
}
