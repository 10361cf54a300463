package dev.starling.spark.rows;

import dev.starling.job.NodeRows;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/** Converts the rows of a partition to the core's compact layout. */
public interface Packing extends Serializable {

    /**
     * Returns the rows that count, in order, in parts that are computed lazily and have at least one row each. Rows
     * have keys if certain cells determine their folds. An {@link dev.starling.data.InvalidInputException} names the
     * partition and the row that cannot be used.
     */
    Iterator<NodeRows> parts(int partition, Iterator<InternalRow> rows);
}
