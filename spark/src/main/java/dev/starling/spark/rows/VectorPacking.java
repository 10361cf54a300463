package dev.starling.spark.rows;

import dev.starling.data.InvalidInputException;
import dev.starling.job.NodeRows;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Converts rows that consist of a vector of features and a label, followed by an optional weight, an optional offset,
 * and cells that determine the row's fold.
 *
 * @param weighted whether there are weights; rows with weight 0 do not count
 * @param shifted whether there are offsets
 * @param foldCells how many cells determine a row's fold; 0 if the whole row does
 * @param classification whether labels are the numbers of classes
 */
public record VectorPacking(boolean weighted, boolean shifted, int foldCells, boolean classification)
        implements Packing {

    private static final int PART_ROWS = 1 << 16;
    private static final int PART_VALUES = 1 << 20;

    @Override
    public Iterator<NodeRows> parts(int partition, Iterator<InternalRow> rows) {
        RowPacker packer = new RowPacker(this);
        return new LazyIterator<>() {
            private long before;

            @Override
            protected NodeRows make() {
                while (rows.hasNext() && packer.rows() < PART_ROWS && packer.stored() < PART_VALUES) {
                    InternalRow row = rows.next();
                    if (!packer.isWeightless(row)) {
                        add(row);
                    }
                }
                before += packer.rows();
                return packer.rows() == 0 ? null : packer.take();
            }

            private void add(InternalRow row) {
                try {
                    packer.add(row);
                } catch (InvalidInputException e) {
                    throw new InvalidInputException(
                            "partition " + partition + ", row " + (before + packer.rows() + 1) + ": " + e.getMessage(),
                            e);
                }
            }
        };
    }
}
