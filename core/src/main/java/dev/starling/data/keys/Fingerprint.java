package dev.starling.data.keys;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongConsumer;

/**
 * A short hash of a dataset's content: its size, and the labels, weights, offsets and non-zero values of its rows in
 * their order. It is the same for the same rows in either layout and on every machine, and different rows do not share
 * one by accident.
 *
 * <p>There are two: {@link #of}, which takes no longer than a pass over the rows and is part of every model, and
 * {@link #binding}, for which nobody can construct other rows even on purpose. In a short run the second would take
 * about as long as the training, since Java's digests are slow until the JIT has compiled them.
 */
public final class Fingerprint {

    // Odd, with about half of their bits set: from the golden ratio, and from MurmurHash3's finaliser.
    private static final long FIRST = 0x9e3779b97f4a7c15L;
    private static final long SECOND = 0xff51afd7ed558ccdL;
    private static final long LAST = 0xc4ceb9fe1a85ec53L;

    private Fingerprint() {}

    /** A fingerprint of 32 hexadecimal digits. It does not resist deliberate collisions. */
    public static String of(Dataset rows) {
        ConcurrentSkipListMap<Integer, Part> parts = new ConcurrentSkipListMap<>();
        rows.overRows((from, to) -> parts.put(from, Part.of(rows, from, to)));
        return parts.values().stream()
                .reduce(Part::then)
                .orElseGet(() -> Part.of(rows, 0, 0))
                .digits();
    }

    /**
     * The fingerprint of consecutive rows, from which that of all rows follows wherever each of them is: two
     * polynomials modulo 2⁶⁴ whose coefficients are hashes of the rows.
     *
     * @param kind the number of features, and whether there are weights and offsets
     * @param rows the number of rows
     * @param a the value of the first polynomial
     * @param b the value of the second polynomial
     */
    public record Part(long kind, long rows, long a, long b) implements Serializable {

        /** No rows. */
        public static final Part NONE = new Part(0, 0, 0, 0);

        /** The part for the rows of a dataset from one up to, but without, another. */
        public static Part of(Dataset data, int from, int to) {
            Mixture mixture = new Mixture();
            long a = 0;
            long b = 0;
            for (int row = from; row < to; row++) {
                mixture.clear();
                emit(data, row, mixture);
                a = a * FIRST + mixture.first();
                b = b * SECOND + mixture.second();
            }
            return new Part(((long) data.features() << Integer.SIZE) | flags(data), to - from, a, b);
        }

        /** The part for these rows with others after them. */
        public Part then(Part next) {
            return new Part(
                    rows == 0 ? next.kind : kind,
                    rows + next.rows,
                    a * power(FIRST, next.rows) + next.a,
                    b * power(SECOND, next.rows) + next.b);
        }

        private static long power(long base, long exponent) {
            long power = 1;
            long square = base;
            for (long rest = exponent; rest > 0; rest >>= 1) {
                power *= (rest & 1) == 1 ? square : 1;
                square *= square;
            }
            return power;
        }

        /** The fingerprint, once this is the part for all rows. */
        public String digits() {
            Mixture mixture = new Mixture();
            mixture.accept(kind);
            mixture.accept(rows);
            mixture.accept(a);
            mixture.accept(b);
            return HexFormat.of().toHexDigits(mixture.first()) + HexFormat.of().toHexDigits(mixture.second());
        }
    }

    /** The SHA-256 of the rows: whoever has published it can later present these rows for it, and no others. */
    public static byte[] binding(Dataset rows) {
        Digest digest = new Digest();
        emit(rows, digest);
        return digest.value();
    }

    private static int flags(Dataset rows) {
        return (rows.isWeighted() ? 1 : 0) + (rows.hasOffsets() ? 2 : 0) + (rows.hasEntries() ? 4 : 0);
    }

    /** Emits the dataset as a sequence of numbers from which it could be reconstructed. */
    private static void emit(Dataset rows, LongConsumer words) {
        words.accept(((long) rows.features() << Integer.SIZE) | rows.rows());
        words.accept(flags(rows));
        for (int row = 0; row < rows.rows(); row++) {
            emit(rows, row, words);
            // No column is negative: this ends the row.
            words.accept(-1);
        }
    }

    private static void emit(Dataset rows, int row, LongConsumer words) {
        words.accept(Double.doubleToLongBits(rows.label(row) + 0.0));
        if (rows.isWeighted()) {
            words.accept(Double.doubleToLongBits(rows.weight(row)));
        }
        if (rows.hasOffsets()) {
            words.accept(Double.doubleToLongBits(rows.offset(row)));
        }
        if (rows.hasEntries()) {
            words.accept(Double.doubleToLongBits(rows.entry(row)));
        }
        Values values = rows.values(row);
        boolean exact = values.areFloats();
        int[] columns = rows.columns(row);
        boolean dense = rows.isDense();
        int start = rows.start(row);
        int end = rows.end(row);
        for (int k = start; k < end; k++) {
            double value = values.at(k);
            if (value != 0) {
                boolean asFloat = exact || Values.isExactInFloat(value);
                long column = dense ? k - start : columns[k];
                words.accept((column << Integer.SIZE)
                        | Integer.toUnsignedLong(Float.floatToIntBits(asFloat ? (float) value : Float.NaN)));
                if (!asFloat) {
                    words.accept(Double.doubleToLongBits(value));
                }
            }
        }
    }

    /**
     * Two chains of 64 bits. Every step is invertible, in the chain as well as in the number that is mixed in, so
     * nothing is lost.
     */
    private static final class Mixture implements LongConsumer {

        private long a = FIRST;
        private long b = SECOND;

        void clear() {
            a = FIRST;
            b = SECOND;
        }

        @Override
        public void accept(long word) {
            a = (a ^ word) * FIRST;
            a ^= a >>> 32;
            b = (Long.rotateLeft(b, 27) + word) * SECOND;
            b ^= b >>> 29;
        }

        long first() {
            return spread(a);
        }

        long second() {
            return spread(b + a * LAST);
        }

        private static long spread(long bits) {
            long once = (bits ^ (bits >>> 33)) * SECOND;
            long twice = (once ^ (once >>> 33)) * LAST;
            return twice ^ (twice >>> 33);
        }
    }

    /** A new SHA-256. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static final class Digest implements LongConsumer {

        private final MessageDigest sha256 = sha256();
        private final ByteBuffer block = ByteBuffer.allocate(1 << 14).order(ByteOrder.LITTLE_ENDIAN);

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
