package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowBuffer;
import dev.starling.data.keys.RowKeys;
import dev.starling.job.NodeRows;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Converts rows that consist of a vector of features and a label, followed by an optional weight, an optional offset,
 * and cells that determine the row's fold, directly from Spark's internal rows.
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

    /* The fields in which Spark stores a vector; a dense one has no indices. */
    private static final int TYPE = 0;
    private static final int SIZE = 1;
    private static final int INDICES = 2;
    private static final int VALUES = 3;
    private static final int FIELDS = 4;

    private static final byte SPARSE = 0;

    /** The numbers of classes must be smaller than this. */
    private static final int MOST_CLASSES = 1000;

    /* The columns of a row; without a weight, the columns after it move up by one. */
    private static final int VECTOR = 0;
    private static final int LABEL = 1;
    private static final int WEIGHT = 2;

    @Override
    public Iterator<NodeRows> parts(int partition, Iterator<InternalRow> rows) {
        return new Parts(partition, rows);
    }

    /** Refuses a row whose number of features differs from that of earlier rows. */
    public static void requireSize(int features, int size) {
        if (size != features) {
            throw new InvalidInputException(
                    "a vector of size " + size + " where others have " + features + "; all must have the same size");
        }
    }

    /** The parts of one partition, computed lazily. */
    private final class Parts extends LazyIterator<NodeRows> {
        private final int partition;
        private final Iterator<InternalRow> rows;
        private final int offsetAt = weighted ? WEIGHT + 1 : WEIGHT;
        private final int foldCellsAt = offsetAt + (shifted ? 1 : 0);
        private RowBuffer buffer = new RowBuffer(1024, 8192);
        private LongStream.Builder keys = LongStream.builder();
        private int features = -1;
        private long before;

        Parts(int partition, Iterator<InternalRow> rows) {
            this.partition = partition;
            this.rows = rows;
        }

        @Override
        protected NodeRows make() {
            while (rows.hasNext() && buffer.rows() < PART_ROWS && buffer.stored() < PART_VALUES) {
                InternalRow row = rows.next();
                boolean weightless = weighted && !row.isNullAt(WEIGHT) && row.getDouble(WEIGHT) == 0;
                try {
                    if (!weightless) {
                        add(row);
                    }
                } catch (InvalidInputException e) {
                    throw new InvalidInputException(
                            "partition " + partition + ", row " + (before + buffer.rows() + 1) + ": " + e.getMessage(),
                            e);
                }
            }
            before += buffer.rows();
            if (buffer.rows() == 0) {
                return null;
            }
            Dataset data = buffer.toDataset(Math.max(0, features)).wellLaidOut();
            NodeRows taken = NodeRows.all(data, keys.build().toArray());
            // The next part is about as long.
            buffer = rows.hasNext() ? new RowBuffer(buffer.rows(), buffer.stored() + 1024) : new RowBuffer(0, 0);
            keys = LongStream.builder();
            return taken;
        }

        private void add(InternalRow row) {
            if (row.isNullAt(VECTOR)) {
                throw new InvalidInputException("features are null; drop such rows first");
            }
            InternalRow vector = row.getStruct(VECTOR, FIELDS);
            boolean sparse = vector.getByte(TYPE) == SPARSE;
            double[] values = vector.getArray(VALUES).toDoubleArray();
            int[] columns = sparse ? vector.getArray(INDICES).toIntArray() : new int[0];
            int size = sparse ? vector.getInt(SIZE) : values.length;
            double label = label(row);
            double weight = weighted() ? weight(row) : 1;
            double offset = shifted() ? finite(row, offsetAt, "offset") : 0;
            features = features < 0 ? size : features;
            requireSize(features, size);
            // An earlier row that was refused may have left some of its values behind.
            buffer.dropUnended();
            for (int k = 0; k < values.length; k++) {
                put(sparse ? columns[k] : k, values[k]);
            }
            buffer.endRow(label);
            if (weighted()) {
                buffer.weigh(weight);
            }
            if (shifted()) {
                buffer.offset(offset);
            }
            if (foldCells() > 0) {
                keys.add(RowKeys.ofCells(IntStream.range(foldCellsAt, foldCellsAt + foldCells())
                        .mapToObj(cell -> row.isNullAt(cell) ? "" : row.getString(cell))
                        .toList()));
            }
        }

        private double label(InternalRow row) {
            double label = finite(row, LABEL, "label");
            if (classification() && !(label >= 0 && label == (int) label && label < MOST_CLASSES)) {
                throw new InvalidInputException("label " + label + "; classes must be numbered 0, 1, 2, … below "
                        + MOST_CLASSES + ", as StringIndexer does");
            }
            return label;
        }

        private static double weight(InternalRow row) {
            double weight = row.isNullAt(WEIGHT) ? Double.NaN : row.getDouble(WEIGHT);
            if (!(weight > 0) || Double.isInfinite(weight)) {
                throw new InvalidInputException(
                        "weight " + (row.isNullAt(WEIGHT) ? "null" : weight) + " must be positive and finite, or 0");
            }
            return weight;
        }

        private static double finite(InternalRow row, int at, String what) {
            double number = row.isNullAt(at) ? Double.NaN : row.getDouble(at);
            if (!Double.isFinite(number)) {
                throw new InvalidInputException(what + " " + (row.isNullAt(at) ? "null" : number) + " must be finite");
            }
            return number;
        }

        private void put(int column, double value) {
            if (!Double.isFinite(value)) {
                throw new InvalidInputException("feature " + column + " is " + value + "; features must be finite");
            }
            if (value != 0) {
                buffer.add(column, value);
            }
        }
    }
}
