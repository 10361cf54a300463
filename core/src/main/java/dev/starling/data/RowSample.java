package dev.starling.data;

import java.util.stream.IntStream;

/**
 * A part of all rows, chosen by a hash of what each says: the same rows whoever has them, in whatever order; equal rows
 * are in it all or none.
 *
 * @param part which part of the rows, from 0 to 1, on average
 * @param seed another one chooses other rows
 */
public record RowSample(double part, long seed) {

    /** Apart from the choices that a seed decides elsewhere. */
    private static final long STREAM = 0x686F6C646F7574L;

    /** Whether a row is in it. */
    public boolean has(Dataset data, int row) {
        long key = RowKeys.mixed(RowKeys.mixed(RowKeys.ofContent(data, row), seed), STREAM);
        return (key >>> 11) * 0x1p-53 < part;
    }

    /** The rows that are in it. */
    public Dataset of(Dataset data) {
        return picked(data, true);
    }

    /** The rows that are not in it. */
    public Dataset without(Dataset data) {
        return part == 0 ? data : picked(data, false);
    }

    private Dataset picked(Dataset data, boolean inside) {
        return data.picked(IntStream.range(0, data.rows())
                .filter(row -> has(data, row) == inside)
                .toArray());
    }
}
