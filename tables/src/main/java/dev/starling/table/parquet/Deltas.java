package dev.starling.table.parquet;

/** Whole numbers stored as the differences between successive ones, bit-packed in blocks (DELTA_BINARY_PACKED). */
final class Deltas {

    private static final int MOST_IN_BLOCK = 1 << 20;

    private final Bytes bytes;
    private final int perBlock;
    private final int perGroup;
    private final int[] widths;
    private long left;
    private long value;

    /** How many numbers of the block were taken. */
    private int inBlock;

    private long least;
    private Bytes group;
    private int bit;

    Deltas(Bytes bytes) {
        this.bytes = bytes;
        long block = bytes.varint();
        long groups = bytes.varint();
        if (block < 1 || block > MOST_IN_BLOCK || groups < 1 || groups > block || block % groups != 0) {
            throw new CorruptException(groups + " groups in a block of " + block + " numbers");
        }
        this.perBlock = (int) block;
        this.perGroup = (int) (block / groups);
        this.widths = new int[(int) groups];
        this.left = bytes.varint();
        this.value = zigzag();
        this.inBlock = -1;
    }

    private long zigzag() {
        long coded = bytes.varint();
        return coded >>> 1 ^ -(coded & 1);
    }

    long next() {
        if (left <= 0) {
            throw new CorruptException("a value is missing");
        }
        left--;
        // The first number is in the header.
        if (inBlock >= 0) {
            value += delta();
        } else {
            inBlock = 0;
        }
        return value;
    }

    private long delta() {
        int place = inBlock % perBlock;
        if (place == 0) {
            least = zigzag();
            for (int k = 0; k < widths.length; k++) {
                widths[k] = bytes.next();
            }
        }
        int width = widths[place / perGroup];
        if (place % perGroup == 0) {
            if (width > Long.SIZE) {
                throw new CorruptException("numbers of " + width + " bits");
            }
            group = bytes.part((int) (((long) width * perGroup + 7) / 8));
            bit = 0;
        }
        inBlock = place + 1;
        long delta = 0;
        for (int k = 0; k < width; k++) {
            delta |= (long) group.bit(bit++) << k;
        }
        return least + delta;
    }

    /** Takes all numbers, which are lengths; the bytes are then at whatever follows them. */
    int[] lengths(long most) {
        if (left < 0 || left > most) {
            throw new CorruptException(left + " lengths of " + most + " values");
        }
        int[] lengths = new int[(int) left];
        for (int k = 0; k < lengths.length; k++) {
            long length = next();
            if (length < 0 || length > Integer.MAX_VALUE) {
                throw new CorruptException("a length of " + length);
            }
            lengths[k] = (int) length;
        }
        return lengths;
    }
}
