package dev.starling.spark.rows;

import dev.starling.job.NodeRows;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/** How the rows of a partition are moved into the core's compact layout. */
public interface Packing extends Serializable {

    /**
     * The rows that count, in their order, in parts that are made as they are asked for and have at least one row each.
     * They come with keys where cells of theirs decide on their folds. An
     * {@link dev.starling.data.InvalidInputException} names the partition and the row that cannot be used.
     */
    Iterator<NodeRows> parts(int partition, Iterator<InternalRow> rows);
}
