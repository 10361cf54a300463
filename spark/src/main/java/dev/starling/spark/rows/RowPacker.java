package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowBuffer;
import dev.starling.data.RowKeys;
import dev.starling.job.NodeRows;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;

/** Converts rows of a DataFrame to the core's compact layout, directly from Spark's internal rows. */
final class RowPacker {

    /* The fields in which Spark stores a vector. */
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

    private final VectorPacking packing;
    private final int offsetAt;
    private final int foldCellsAt;
    private int features = -1;
    private RowBuffer buffer = emptyBuffer();
    private LongStream.Builder keys = LongStream.builder();

    RowPacker(VectorPacking packing) {
        this.packing = packing;
        this.offsetAt = packing.weighted() ? WEIGHT + 1 : WEIGHT;
        this.foldCellsAt = offsetAt + (packing.shifted() ? 1 : 0);
    }

    private static RowBuffer emptyBuffer() {
        return new RowBuffer(1024, 8192);
    }

    /** Whether a row has a weight of exactly 0, in which case it is ignored. */
    boolean isWeightless(InternalRow row) {
        return packing.weighted() && !row.isNullAt(WEIGHT) && row.getDouble(WEIGHT) == 0;
    }

    int rows() {
        return buffer.rows();
    }

    /** The number of stored values. */
    int stored() {
        return buffer.stored();
    }

    void add(InternalRow row) {
        if (row.isNullAt(VECTOR)) {
            throw new InvalidInputException("features are null; drop such rows first");
        }
        InternalRow vector = row.getStruct(VECTOR, FIELDS);
        double[] entries = vector.getArray(VALUES).toDoubleArray();
        boolean sparse = vector.getByte(TYPE) == SPARSE;
        int size = sparse ? vector.getInt(SIZE) : entries.length;
        double label = label(row);
        double weight = packing.weighted() ? weight(row) : 1;
        double offset = packing.shifted() ? finite(row, offsetAt, "offset") : 0;
        features = features < 0 ? size : features;
        requireSize(features, size);
        int[] columns = sparse ? vector.getArray(INDICES).toIntArray() : null;
        // An earlier row that was refused may have left some of its values behind.
        buffer.dropUnended();
        for (int k = 0; k < entries.length; k++) {
            put(sparse ? columns[k] : k, entries[k]);
        }
        buffer.endRow(label);
        if (packing.weighted()) {
            buffer.weigh(weight);
        }
        if (packing.shifted()) {
            buffer.offset(offset);
        }
        if (packing.foldCells() > 0) {
            keys.add(RowKeys.ofCells(IntStream.range(foldCellsAt, foldCellsAt + packing.foldCells())
                    .mapToObj(cell -> row.isNullAt(cell) ? "" : row.getString(cell))
                    .toList()));
        }
    }

    /** Refuses a row whose number of features differs from that of earlier rows. */
    static void requireSize(int features, int size) {
        if (size != features) {
            throw new InvalidInputException(
                    "a vector of size " + size + " where others have " + features + "; all must have the same size");
        }
    }

    private double label(InternalRow row) {
        double label = finite(row, LABEL, "label");
        if (packing.classification() && !(label >= 0 && label == (int) label && label < MOST_CLASSES)) {
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

    private void put(int column, double entry) {
        float value = (float) entry;
        if (value * 0f != 0f) {
            throw new InvalidInputException("feature " + column + " is " + entry + "; features must be finite, and at "
                    + "most " + Float.MAX_VALUE + " in size");
        }
        if (value != 0f) {
            buffer.add(column, value);
        }
    }

    /** Returns the rows so far and empties the packer, which keeps only the number of features. */
    NodeRows take() {
        Dataset data = buffer.toDataset(Math.max(0, features)).wellLaidOut();
        NodeRows taken = NodeRows.all(data, keys.build().toArray());
        buffer = emptyBuffer();
        keys = LongStream.builder();
        return taken;
    }
}
