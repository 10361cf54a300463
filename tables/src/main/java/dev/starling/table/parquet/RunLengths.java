package dev.starling.table.parquet;

/** Small numbers of a fixed width in bits, stored as runs of one number and as groups of eight bit-packed numbers. */
final class RunLengths {

    private final Bytes bytes;
    private final int width;
    private int left;
    private boolean packed;
    private int value;
    private long buffer;
    private int buffered;

    RunLengths(Bytes bytes, int width) {
        if (width < 0 || width > Integer.SIZE) {
            throw new CorruptException("numbers of " + width + " bits");
        }
        this.bytes = bytes;
        this.width = width;
    }

    int next() {
        while (left == 0) {
            begin();
        }
        left--;
        if (!packed) {
            return value;
        }
        while (buffered < width) {
            buffer |= (long) bytes.next() << buffered;
            buffered += Byte.SIZE;
        }
        int next = (int) (buffer & ((1L << width) - 1));
        buffer >>>= width;
        buffered -= width;
        return next;
    }

    private void begin() {
        long header = bytes.varint();
        long count = (header & 1) == 1 ? (header >>> 1) * 8 : header >>> 1;
        if (count <= 0 || count > Integer.MAX_VALUE) {
            throw new CorruptException("a run of " + count + " numbers");
        }
        left = (int) count;
        packed = (header & 1) == 1;
        buffer = 0;
        buffered = 0;
        if (!packed) {
            value = (int) bytes.fixed((width + 7) / 8);
        }
    }
}
