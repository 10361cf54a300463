package dev.starling.data.keys;

import dev.starling.data.Dataset;
import java.util.stream.IntStream;

/**
 * A random sample of rows, chosen by a hash of each row's content: it has the same rows no matter who holds them and in
 * which order. Of identical rows, all or none are in the sample.
 *
 * @param part the expected share of rows in the sample, from 0 to 1
 * @param seed different seeds choose different rows
 */
public record RowSample(double part, long seed) {

    /** Makes this choice independent of others that are made with the same seed. */
    private static final long STREAM = 0x686F6C646F7574L;

    /** Whether a row is in the sample. */
    public boolean has(Dataset data, int row) {
        long key = RowKeys.mixed(RowKeys.mixed(RowKeys.ofContent(data, row), seed), STREAM);
        return (key >>> 11) * 0x1p-53 < part;
    }

    /** The rows that are not in the sample. */
    public Dataset without(Dataset data) {
        return part == 0
                ? data
                : data.picked(IntStream.range(0, data.rows())
                        .filter(row -> !has(data, row))
                        .toArray());
    }
}
