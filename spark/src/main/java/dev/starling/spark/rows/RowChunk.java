package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.RowKeys;
import dev.starling.data.Values;
import dev.starling.job.NodeRows;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A chunk of rows in compact form, on its way from the partition in which it was read to its node. What rows do not
 * have is empty.
 *
 * @param stretch the rows of the partition, whichever node they go to, since the previous chunk was sent
 * @param objection what is wrong with the rows, in which case there are none
 * @param ends where the values of each row end; empty if rows are dense
 * @param contentKeys the keys by which rows are held out
 * @param foldKeys the keys that determine the folds of rows
 */
record RowChunk(
        RowStretch stretch,
        String objection,
        int features,
        boolean dense,
        double[] labels,
        double[] weights,
        double[] offsets,
        long[] contentKeys,
        long[] foldKeys,
        int[] ends,
        int[] columns,
        Values values)
        implements Serializable {

    static RowChunk of(RowStretch stretch, NodeRows rows) {
        Dataset data = rows.data();
        int stored = Math.toIntExact(data.storedValues());
        boolean sparse = !data.isDense();
        return new RowChunk(
                stretch,
                "",
                data.features(),
                data.isDense(),
                each(true, data).mapToDouble(data::label).toArray(),
                each(data.isWeighted(), data).mapToDouble(data::weight).toArray(),
                each(data.hasOffsets(), data).mapToDouble(data::offset).toArray(),
                each(data.isKeyed(), data)
                        .mapToLong(row -> RowKeys.ofContent(data, row))
                        .toArray(),
                rows.keys(),
                each(sparse, data).map(data::end).toArray(),
                sparse ? Arrays.copyOf(data.columns(), stored) : new int[0],
                data.values().resized(stored));
    }

    private static IntStream each(boolean present, Dataset data) {
        return IntStream.range(0, present ? data.rows() : 0);
    }

    /** Creates a chunk without rows that reports what is wrong. */
    static RowChunk objecting(RowStretch stretch, String objection) {
        double[] none = {};
        return new RowChunk(
                stretch,
                objection,
                0,
                true,
                none,
                none,
                none,
                new long[0],
                new long[0],
                new int[0],
                new int[0],
                Values.NONE);
    }

    NodeRows rows() {
        Dataset data = dense ? Dataset.dense(features, values, labels) : sparse();
        data = weights.length > 0 ? data.withWeights(weights) : data;
        data = offsets.length > 0 ? data.withOffsets(offsets) : data;
        data = contentKeys.length > 0 ? data.withKeys(contentKeys) : data;
        return NodeRows.all(data, foldKeys);
    }

    private Dataset sparse() {
        int[] starts = new int[ends.length + 1];
        System.arraycopy(ends, 0, starts, 1, ends.length);
        return Dataset.sparse(features, starts, columns, values, labels);
    }
}
