package dev.starling.table.parquet;

import java.util.Arrays;

/**
 * Decompresses data in the Zstandard format (RFC 8878) that is in memory and whose decompressed size is known.
 * Checksums are ignored, and dictionaries are not supported.
 */
final class Zstandard {

    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPED = 0x184D2A50;
    private static final int SKIPPED_MASK = 0xFFFFFFF0;
    private static final int MOST_IN_BLOCK = 1 << 17;

    private final Bytes in;
    private final int most;

    /** Grows as needed, because a damaged page may claim any size. */
    private byte[] out;

    private int at;

    /** Where the frame began: nothing is copied from before that. */
    private int start;

    private byte[] literals = {};
    private PrefixCode code;
    private final ZstandardSequences sequences = new ZstandardSequences();

    private Zstandard(Bytes in, int most) {
        this.in = in;
        this.most = most;
        this.out = new byte[Math.min(most, MOST_IN_BLOCK)];
    }

    /** Returns the decompressed bytes, at most {@code size}. */
    static byte[] decompressed(byte[] compressed, int size) {
        Zstandard all = new Zstandard(new Bytes(compressed), size);
        while (all.in.left() > 0) {
            all.frame();
        }
        return Arrays.copyOf(all.out, all.at);
    }

    private void frame() {
        int magic = (int) in.fixed(Integer.BYTES);
        if ((magic & SKIPPED_MASK) == SKIPPED) {
            in.part((int) in.fixed(Integer.BYTES));
            return;
        }
        if (magic != MAGIC) {
            throw new CorruptException("it is not compressed with zstd");
        }
        int descriptor = in.next();
        boolean single = (descriptor & 0x20) != 0;
        in.part(single ? 0 : 1);
        if (in.fixed(new int[] {0, 1, 2, 4}[descriptor & 3]) != 0) {
            throw new CorruptException("it was compressed with a zstd dictionary");
        }
        in.part(new int[] {single ? 1 : 0, 2, 4, 8}[descriptor >> 6]);
        start = at;
        code = null;
        sequences.reset();
        boolean last;
        do {
            int header = (int) in.fixed(3);
            last = (header & 1) == 1;
            block(header >> 1 & 3, header >> 3);
        } while (!last);
        in.part((descriptor & 4) == 0 ? 0 : Integer.BYTES);
    }

    private void block(int type, int size) {
        switch (type) {
            case 0 -> put(in.take(size), 0, size);
            case 1 -> {
                byte[] same = new byte[Math.min(size, MOST_IN_BLOCK)];
                Arrays.fill(same, (byte) in.next());
                put(same, 0, same.length);
            }
            case 2 -> {
                Bytes block = in.part(size);
                literals(block);
                sequences.read(block, literals, this);
            }
            default -> throw new CorruptException("a block of no known type");
        }
    }

    private void literals(Bytes block) {
        int first = block.next();
        int type = first & 3;
        int format = first >> 2 & 3;
        if (type < 2) {
            int size = (format & 1) == 0 ? first >> 3 : (first >> 4) + (int) (block.fixed(format == 1 ? 1 : 2) << 4);
            if (type == 0) {
                literals = block.take(size);
            } else {
                literals = new byte[Math.min(size, MOST_IN_BLOCK)];
                Arrays.fill(literals, (byte) block.next());
            }
            return;
        }
        int width = new int[] {10, 10, 14, 18}[format];
        long sizes = (first | block.fixed(new int[] {2, 2, 3, 4}[format]) << 8) >>> 4;
        int size = (int) (sizes & ((1 << width) - 1));
        Bytes compressed = block.part((int) (sizes >>> width));
        if (size > MOST_IN_BLOCK) {
            throw new CorruptException("a block of " + size + " bytes");
        }
        if (type == 2) {
            code = PrefixCode.read(compressed);
        } else if (code == null) {
            throw new CorruptException("a code is reused before there is one");
        }
        literals = new byte[size];
        if (format == 0) {
            code.decode(new BackwardBits(compressed), literals, 0, size);
        } else {
            inFourStreams(compressed);
        }
    }

    private void inFourStreams(Bytes compressed) {
        int[] lengths = new int[4];
        for (int k = 0; k < 3; k++) {
            lengths[k] = (int) compressed.fixed(2);
        }
        lengths[3] = compressed.left() - lengths[0] - lengths[1] - lengths[2];
        int quarter = (literals.length + 3) / 4;
        for (int k = 0; k < 4; k++) {
            int from = Math.min(k * quarter, literals.length);
            int to = k == 3 ? literals.length : Math.min((k + 1) * quarter, literals.length);
            code.decode(new BackwardBits(compressed.part(lengths[k])), literals, from, to);
        }
    }

    /** Appends bytes. */
    void put(byte[] bytes, int from, int count) {
        requireRoom(count);
        System.arraycopy(bytes, from, out, at, count);
        at += count;
    }

    /** Appends a copy of earlier output, which may overlap with what is being appended. */
    void repeat(int back, int count) {
        requireRoom(count);
        if (back < 1 || back > at - start) {
            throw new CorruptException("bytes from " + back + " back, after " + (at - start));
        }
        for (int k = 0; k < count; k++, at++) {
            out[at] = out[at - back];
        }
    }

    private void requireRoom(int count) {
        if (count < 0 || count > most - at) {
            throw new CorruptException("more bytes than the page has");
        }
        if (count > out.length - at) {
            out = Arrays.copyOf(out, (int) Math.min(most, Math.max(at + count, 2L * out.length)));
        }
    }
}
