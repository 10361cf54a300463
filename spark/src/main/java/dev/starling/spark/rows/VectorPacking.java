package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Rows that are (features vector, label) or (features vector, label, weight).
 *
 * @param weighted whether there are weights; rows of weight 0 do not count
 * @param classification whether labels are the numbers of classes
 */
public record VectorPacking(boolean weighted, boolean classification) implements Packing {

    private static final int PART_ROWS = 1 << 16;
    private static final int PART_VALUES = 1 << 20;

    @Override
    public Iterator<Dataset> parts(int partition, Iterator<InternalRow> rows) {
        RowPacker packer = new RowPacker(weighted, classification);
        return new Parts<>() {
            private long before;

            @Override
            protected Dataset make() {
                while (rows.hasNext() && packer.rows() < PART_ROWS && packer.stored() < PART_VALUES) {
                    InternalRow row = rows.next();
                    if (!RowPacker.isWeightless(row, weighted)) {
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
