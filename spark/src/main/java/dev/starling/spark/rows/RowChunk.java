package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.RowBuffer;
import dev.starling.job.NodeRows;
import java.io.Serializable;

/**
 * A chunk of rows in compact form, on its way from the partition in which it was read to its node.
 *
 * @param stretch the rows of the partition, whichever node they go to, since the previous chunk was sent
 * @param objection what is wrong with the rows, in which case there are none
 * @param foldKeys the keys that determine the folds of rows; empty if they have none
 */
record RowChunk(RowStretch stretch, String objection, Dataset data, long... foldKeys) implements Serializable {

    static RowChunk of(RowStretch stretch, NodeRows rows) {
        return new RowChunk(stretch, "", rows.data(), rows.keys());
    }

    /** Creates a chunk without rows that reports what is wrong. */
    static RowChunk objecting(RowStretch stretch, String objection) {
        return new RowChunk(stretch, objection, new RowBuffer(0, 0).toDataset(0));
    }

    NodeRows rows() {
        return NodeRows.all(data, foldKeys);
    }
}
