package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowBuffer;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Moves rows of a DataFrame into the core's compact layout, straight from Spark's own: (features vector, label) or
 * (features vector, label, weight).
 */
final class RowPacker {

    /** How Spark stores a vector. */
    private enum Field {
        TYPE,
        SIZE,
        INDICES,
        VALUES;

        private static final int COUNT = values().length;
    }

    private static final byte SPARSE = 0;

    /** A classifier takes fewer classes than this. */
    private static final int MOST_CLASSES = 1000;

    private final boolean weighted;
    private final boolean classification;
    private int features = -1;
    private RowBuffer buffer = emptyBuffer();

    RowPacker(boolean weighted, boolean classification) {
        this.weighted = weighted;
        this.classification = classification;
    }

    private static RowBuffer emptyBuffer() {
        return new RowBuffer(1024, 8192);
    }

    /** Whether a row has a weight of exactly 0, which is as if it were not there. */
    static boolean isWeightless(InternalRow row, boolean weighted) {
        return weighted && !row.isNullAt(2) && row.getDouble(2) == 0;
    }

    int rows() {
        return buffer.rows();
    }

    /** Stored values. */
    int stored() {
        return buffer.stored();
    }

    /** Adds a row. */
    void add(InternalRow row) {
        if (row.isNullAt(0)) {
            throw new InvalidInputException("features are null; drop such rows first");
        }
        InternalRow vector = row.getStruct(0, Field.COUNT);
        double[] entries = vector.getArray(Field.VALUES.ordinal()).toDoubleArray();
        boolean sparse = vector.getByte(Field.TYPE.ordinal()) == SPARSE;
        int size = sparse ? vector.getInt(Field.SIZE.ordinal()) : entries.length;
        double label = label(row);
        double weight = weighted ? weight(row) : 1;
        features = features < 0 ? size : features;
        requireSize(features, size);
        int[] columns = sparse ? vector.getArray(Field.INDICES.ordinal()).toIntArray() : null;
        // A row that was refused may have left some of its values behind.
        buffer.dropUnended();
        for (int k = 0; k < entries.length; k++) {
            put(sparse ? columns[k] : k, entries[k]);
        }
        buffer.endRow(label);
        if (weighted) {
            buffer.weigh(weight);
        }
    }

    /** Refuses rows of another number of features than those before. */
    static void requireSize(int features, int size) {
        if (size != features) {
            throw new InvalidInputException(
                    "a vector of size " + size + " where others have " + features + "; all must have the same size");
        }
    }

    private double label(InternalRow row) {
        double label = row.isNullAt(1) ? Double.NaN : row.getDouble(1);
        if (!Double.isFinite(label)) {
            throw new InvalidInputException("label " + (row.isNullAt(1) ? "null" : label) + " must be finite");
        }
        if (classification && !(label >= 0 && label == (int) label && label < MOST_CLASSES)) {
            throw new InvalidInputException("label " + label + "; classes must be numbered 0, 1, 2, … below "
                    + MOST_CLASSES + ", as StringIndexer does");
        }
        return label;
    }

    private static double weight(InternalRow row) {
        double weight = row.isNullAt(2) ? Double.NaN : row.getDouble(2);
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new InvalidInputException(
                    "weight " + (row.isNullAt(2) ? "null" : weight) + " must be positive and finite, or 0");
        }
        return weight;
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

    /** The rows so far, as a dataset; the packer is then empty again, but for the number of features. */
    Dataset take() {
        Dataset data = buffer.toDataset(Math.max(0, features)).wellLaidOut();
        buffer = emptyBuffer();
        return data;
    }
}
