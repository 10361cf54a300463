package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Moves rows of a DataFrame into the core's compact layout, straight from Spark's own: (features vector, label) or
 * (features vector, label, weight). Zeros are left out unless vectors are dense.
 */
final class RowPacker {

    private static final int VECTOR_FIELDS = 4;
    private static final int SIZE = 1;
    private static final int INDICES = 2;
    private static final int VALUES = 3;
    private static final byte SPARSE = 0;

    /** A classifier takes fewer classes than this. */
    private static final int MOST_CLASSES = 1000;

    private static final int MOST_VALUES = Integer.MAX_VALUE - 8;

    private final boolean weighted;
    private final boolean classification;
    private int features = -1;
    private boolean dense;
    private int rows;
    private int stored;
    private int[] offsets = new int[1025];
    private int[] columns = new int[0];
    private float[] values = new float[8192];
    private double[] labels = new double[1024];
    private double[] weights = new double[0];

    RowPacker(boolean weighted, boolean classification) {
        this.weighted = weighted;
        this.classification = classification;
    }

    /** Whether a row has a weight of exactly 0, which is as if it were not there. */
    static boolean isWeightless(InternalRow row, boolean weighted) {
        return weighted && !row.isNullAt(2) && row.getDouble(2) == 0;
    }

    int rows() {
        return rows;
    }

    /** Stored values. */
    int stored() {
        return stored;
    }

    int features() {
        return Math.max(0, features);
    }

    /** Adds a row. */
    void add(InternalRow row) {
        if (row.isNullAt(0)) {
            throw new InvalidInputException("features are null; drop such rows first");
        }
        InternalRow vector = row.getStruct(0, VECTOR_FIELDS);
        double[] entries = vector.getArray(VALUES).toDoubleArray();
        boolean sparse = vector.getByte(0) == SPARSE;
        int size = sparse ? vector.getInt(SIZE) : entries.length;
        double label = label(row);
        double weight = weighted ? weight(row) : 1;
        begin(size, !sparse);
        if (sparse) {
            ArrayData indices = vector.getArray(INDICES);
            addSparse(indices.toIntArray(), entries);
        } else {
            addDense(entries);
        }
        end(label, weight);
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

    private void begin(int size, boolean asDense) {
        if (features < 0) {
            features = size;
            dense = asDense;
        }
        if (size != features) {
            throw new InvalidInputException(
                    "a vector of size " + size + " where others have " + features + "; all must have the same size");
        }
        if (rows + 1 >= labels.length) {
            labels = Arrays.copyOf(labels, grown(labels.length, rows + 2));
            offsets = Arrays.copyOf(offsets, labels.length + 1);
        }
    }

    private void end(double label, double weight) {
        if (weighted) {
            if (rows >= weights.length) {
                weights = Arrays.copyOf(weights, labels.length);
            }
            weights[rows] = weight;
        }
        labels[rows++] = label;
        offsets[rows] = stored;
    }

    private void addDense(double[] entries) {
        reserve(entries.length);
        for (int c = 0; c < entries.length; c++) {
            put(c, entries[c]);
        }
    }

    private void addSparse(int[] indices, double[] entries) {
        if (dense) {
            reserve(features);
            Arrays.fill(values, stored, stored + features, 0f);
            for (int k = 0; k < indices.length; k++) {
                values[stored + indices[k]] = narrowed(indices[k], entries[k]);
            }
            stored += features;
            return;
        }
        reserve(indices.length);
        for (int k = 0; k < indices.length; k++) {
            put(indices[k], entries[k]);
        }
    }

    private void put(int column, double entry) {
        float value = narrowed(column, entry);
        if (dense) {
            values[stored++] = value;
        } else if (value != 0f) {
            columns[stored] = column;
            values[stored++] = value;
        }
    }

    private static float narrowed(int column, double entry) {
        float value = (float) entry;
        if (value * 0f != 0f) {
            throw new InvalidInputException("feature " + column + " is " + entry + "; features must be finite, and at "
                    + "most " + Float.MAX_VALUE + " in size");
        }
        return value;
    }

    private void reserve(int more) {
        long needed = (long) stored + more;
        if (needed > MOST_VALUES) {
            throw new InvalidInputException(
                    "more than " + MOST_VALUES + " values at one node; use more partitions, and nodes");
        }
        if (needed > values.length) {
            values = Arrays.copyOf(values, grown(values.length, (int) needed));
        }
        if (!dense && columns.length < values.length) {
            columns = Arrays.copyOf(columns, values.length);
        }
    }

    private static int grown(int length, int needed) {
        return (int) Math.min(MOST_VALUES, Math.max(needed, length + (long) (length >> 1) + 16));
    }

    /** Adds rows that are packed already. */
    void append(Dataset block) {
        for (int i = 0; i < block.rows(); i++) {
            begin(block.features(), block.isDense());
            int start = block.start(i);
            int length = block.end(i) - start;
            if (dense && block.isDense()) {
                reserve(length);
                System.arraycopy(block.values(), start, values, stored, length);
                stored += length;
            } else {
                appendMixed(block, start, length);
            }
            end(block.label(i), block.weight(i));
        }
    }

    private void appendMixed(Dataset block, int start, int length) {
        reserve(dense ? features : length);
        if (dense) {
            Arrays.fill(values, stored, stored + features, 0f);
        }
        for (int k = start; k < start + length; k++) {
            int column = block.isDense() ? k - start : block.columns()[k];
            float value = block.values()[k];
            if (dense) {
                values[stored + column] = value;
            } else if (value != 0f) {
                columns[stored] = column;
                values[stored++] = value;
            }
        }
        if (dense) {
            stored += features;
        }
    }

    /** The rows so far, as a dataset; the packer is then empty again, but for the number of features. */
    Dataset take() {
        // A row that was refused may have left some of its values behind the last whole one.
        stored = offsets[rows];
        double[] exactLabels = Arrays.copyOf(labels, rows);
        float[] exactValues = Arrays.copyOf(values, stored);
        Dataset data = dense
                ? Dataset.dense(features, exactValues, exactLabels)
                : Dataset.sparse(
                        features(),
                        Arrays.copyOf(offsets, rows + 1),
                        Arrays.copyOf(columns, stored),
                        exactValues,
                        exactLabels);
        if (weighted) {
            data = data.withWeights(Arrays.copyOf(weights, rows));
        }
        rows = 0;
        stored = 0;
        return data;
    }
}
