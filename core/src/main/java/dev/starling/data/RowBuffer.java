package dev.starling.data;

import dev.starling.data.Parts.Part;
import dev.starling.data.keys.RowKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A growing buffer of sparse rows, which readers and builders fill and then turn into a {@link Dataset}. Callers make
 * sure that values are finite and that columns are in order and in range.
 */
public sealed class RowBuffer permits ParsedRows {

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;
    private static final double[] NONE = {};

    /** So few rows say little about how many values those to come have. */
    private static final int FEW = 1000;

    private static final long[] NO_KEYS = {};

    private final boolean rounds;

    double[] labels;
    /** Where each row of this part starts in {@link #columns} and {@link #values}, and where the last one ends. */
    int[] rowStarts;

    int[] columns;
    Values values;
    int rows;
    /** How many values there are in this part. */
    int stored;
    /** The largest column that a row mentions, even with value 0; only parsers set it. */
    int largestColumn = -1;

    /** Weights of the first rows; the others have weight 1. */
    private double[] weights = NONE;

    /** Offsets of the first rows; the others have offset 0. */
    private double[] offsets = NONE;

    /** The times from which on rows were watched: of all of them, or of none. */
    private double[] entries = NONE;

    /** Which rows came with a key of their own, and those keys; the keys of the others follow from their content. */
    private final BitSet keyed = new BitSet();

    private long[] keys = NO_KEYS;

    /** The parts before this one. */
    private final List<Part> before = new ArrayList<>();

    /** The first row of this part. */
    private int first;

    /** Creates a buffer with room for this many rows and values; it grows when they do not suffice. */
    public RowBuffer(int rows, int values) {
        this(rows, values, false);
    }

    /** @param rounds whether values are rounded to floats as they come */
    RowBuffer(int rows, int values, boolean rounds) {
        this.rounds = rounds;
        labels = new double[rows];
        rowStarts = new int[rows + 1];
        columns = new int[values];
        this.values = Values.zeros(values, true);
    }

    /**
     * Creates a buffer with room for exactly this many rows, and so many values if they are in one part.
     *
     * @throws InvalidInputException if arrays cannot be that long
     */
    public static RowBuffer ofSize(long rows, long values) {
        if (rows >= LARGEST_ARRAY - 1) {
            throw tooMany(LARGEST_ARRAY - 1);
        }
        return new RowBuffer((int) rows, (int) Math.min(values, Parts.MOST_VALUES));
    }

    /** Number of complete rows. */
    public final int rows() {
        return rows;
    }

    /** Number of values of the last part, including those of an incomplete row. */
    public final int stored() {
        return stored;
    }

    /** Adds a value to the row that {@link #endRow} will end. */
    public final void add(int column, double value) {
        if (stored == values.length()) {
            resize(expected());
        }
        if (values.areFloats() && !isHeldByFloats(value)) {
            values = values.widened();
        }
        columns[stored] = column;
        values.set(stored++, value);
    }

    /**
     * Where values are rounded, only those that are too large for floats wait for {@link #round}, which refuses them.
     */
    private boolean isHeldByFloats(double value) {
        return rounds ? !Float.isInfinite((float) value) : Values.isExactInFloat(value);
    }

    private void resize(int length) {
        columns = Arrays.copyOf(columns, length);
        values = values.resized(length);
    }

    /** Ends a row, which consists of the values added since the previous one ended. */
    public final void endRow(double label) {
        if (rows == labels.length) {
            int larger = larger(rows);
            labels = Arrays.copyOf(labels, larger);
            rowStarts = Arrays.copyOf(rowStarts, larger - first + 1);
        }
        labels[rows] = label;
        rowStarts[++rows - first] = stored;
        if (stored >= Parts.MOST_VALUES && Parts.mayBegin(rows) && isDivided()) {
            before.add(part());
            first = rows;
            rowStarts = new int[labels.length - first + 1];
            columns = new int[columns.length];
            values = values.zeros(values.length());
            stored = 0;
        }
    }

    /** Whether values are in several parts where there are many. */
    boolean isDivided() {
        return true;
    }

    /** The rows of this part, in arrays that are not much longer than they need to be. */
    private Part part() {
        if (isWasteful(values.length(), stored)) {
            resize(stored);
        }
        return new Part(first, rows, Arrays.copyOf(rowStarts, rows - first + 1), columns, values);
    }

    /** Discards the values of an incomplete row. */
    public final void dropUnended() {
        stored = rowStarts[rows - first];
    }

    /** Sets the weight of the last row, positive and finite; the default is 1. */
    public final void weigh(double weight) {
        if (weights.length < rows) {
            int filled = weights.length;
            weights = Arrays.copyOf(weights, labels.length);
            Arrays.fill(weights, filled, weights.length, 1);
        }
        weights[rows - 1] = weight;
    }

    /** Sets the offset of the last row, a finite number that is added to its score; the default is 0. */
    public final void offset(double offset) {
        offsets = offsets.length < rows ? Arrays.copyOf(offsets, labels.length) : offsets;
        offsets[rows - 1] = offset;
    }

    /** Sets the time from which on the last row was watched; the default is always. */
    public final void entry(double time) {
        entries = entries.length < rows ? Arrays.copyOf(entries, labels.length) : entries;
        entries[rows - 1] = time;
    }

    /** Adds the rows of a dataset, without their zeros. */
    public final void addAll(Dataset data) {
        boolean whole = !data.isDense() && data.nonZeros() == data.storedValues();
        for (int row = 0; row < data.rows(); row++) {
            if (whole) {
                copy(data.columns(row), data.values(row), data.start(row), data.length(row));
                end(data, row);
            } else {
                add(data, row);
            }
        }
    }

    /** Adds the complete rows of another buffer, without keys. */
    public final void addAll(RowBuffer others) {
        others.before.forEach(part -> addAll(others, part));
        addAll(others, new Part(others.first, others.rows, others.rowStarts, others.columns, others.values));
    }

    private void addAll(RowBuffer others, Part part) {
        for (int row = part.first(); row < part.next(); row++) {
            int start = part.starts()[row - part.first()];
            copy(part.columns(), part.values(), start, part.starts()[row - part.first() + 1] - start);
            endRow(others.labels[row]);
            if (row < others.weights.length) {
                weigh(others.weights[row]);
            }
            if (row < others.offsets.length) {
                offset(others.offsets[row]);
            }
            if (row < others.entries.length) {
                entry(others.entries[row]);
            }
        }
    }

    /** Adds values to the row that {@link #endRow} will end. */
    private void copy(int[] otherColumns, Values otherValues, int from, int length) {
        if (length > values.length() - stored) {
            resize(Math.max(expected(), Math.addExact(stored, length)));
        }
        values = values.canHold(otherValues) ? values : values.widened();
        System.arraycopy(otherColumns, from, columns, stored, length);
        otherValues.copyTo(from, values, stored, length);
        stored += length;
    }

    /** Adds a row of a dataset, without its zeros. */
    public final void add(Dataset data, int row) {
        for (int k = data.start(row); k < data.end(row); k++) {
            double value = data.value(row, k);
            if (value != 0) {
                add(data.column(row, k), value);
            }
        }
        end(data, row);
    }

    /** Ends a row as one of a dataset ends. */
    private void end(Dataset data, int row) {
        endRow(data.label(row));
        if (data.isWeighted()) {
            weigh(data.weight(row));
        }
        if (data.hasOffsets()) {
            offset(data.offset(row));
        }
        if (data.hasEntries()) {
            entry(data.entry(row));
        }
        if (data.isKeyed()) {
            key(RowKeys.ofContent(data, row));
        }
    }

    /** Sets the key of the last row; by default, it follows from the row's content. */
    final void key(long key) {
        keys = keys.length < rows ? Arrays.copyOf(keys, labels.length) : keys;
        keys[rows - 1] = key;
        keyed.set(rows - 1);
    }

    /** Gives every row the key of what it holds now, which stays when values are rounded. */
    final void keyByContent() {
        Dataset exact = Dataset.of(largestColumn + 1, false, Parts.whole(rows, rowStarts, columns, values), labels);
        keys = keys.length < rows ? Arrays.copyOf(keys, labels.length) : keys;
        for (int row = keyed.nextClearBit(0); row < rows; row = keyed.nextClearBit(row)) {
            keys[row] = RowKeys.ofContent(exact, row);
            keyed.set(row);
        }
    }

    /** Rounds all values to floats. */
    final void round() {
        values = values.rounded();
    }

    /** The keys of all rows, and perhaps more numbers; none if not every row came with one. */
    final long[] keys() {
        return keyed.cardinality() == rows ? keys : NO_KEYS;
    }

    /** Room for the values of all rows that there is room for, if these are like the rows so far; not for much more. */
    private int expected() {
        int larger = larger(stored);
        double all = 1.02
                * Math.min(Parts.MOST_VALUES, (double) stored / Math.max(1, rows - first) * (labels.length - first));
        return rows - first < FEW
                ? larger
                : (int) Math.min(Math.max(all, stored + 64.0), Math.min(16 + 4.0 * stored, LARGEST_ARRAY - 1));
    }

    private static int larger(int length) {
        if (length >= LARGEST_ARRAY - 1) {
            throw tooMany(length);
        }
        return (int) Math.min(LARGEST_ARRAY - 1, 16 + length + (long) length / 2);
    }

    private static InvalidInputException tooMany(int most) {
        return new InvalidInputException(
                "more than " + most + " values or rows; one place cannot hold them, so use several");
    }

    /** A copy of some rows of a buffer in one part, without what is known of them beside values and labels. */
    final RowBuffer cut(int from, int to) {
        int start = rowStarts[from];
        RowBuffer some = new RowBuffer(0, 0);
        some.rows = to - from;
        some.stored = rowStarts[to] - start;
        some.labels = Arrays.copyOfRange(labels, from, to);
        some.rowStarts = Arrays.copyOfRange(rowStarts, from, to + 1);
        Arrays.setAll(some.rowStarts, k -> some.rowStarts[k] - start);
        some.columns = Arrays.copyOfRange(columns, start, rowStarts[to]);
        some.values = values.zeros(some.stored);
        values.copyTo(start, some.values, 0, some.stored);
        some.largestColumn = largestColumn;
        return some;
    }

    /** Removes all rows, so that the arrays can be reused. */
    public void clear() {
        rowStarts = rowStarts.length > labels.length ? rowStarts : new int[labels.length + 1];
        rows = 0;
        first = 0;
        before.clear();
        stored = 0;
        largestColumn = -1;
        weights = NONE;
        offsets = NONE;
        entries = NONE;
        keyed.clear();
    }

    /**
     * Returns the complete rows as a sparse dataset. It may share arrays with the buffer, which must not be used any
     * more.
     */
    public final Dataset toDataset(int features) {
        dropUnended();
        labels = Arrays.copyOf(labels, rows);
        if (rows > first || before.isEmpty()) {
            before.add(part());
        }
        Dataset bare = withKeys(Dataset.of(features, false, new Parts(before), labels));
        Dataset timed = entries.length == 0 ? bare : bare.withEntries(Arrays.copyOf(entries, rows));
        Dataset data = offsets.length == 0 ? timed : timed.withOffsets(Arrays.copyOf(offsets, rows));
        if (weights.length == 0) {
            return data;
        }
        double[] all = Arrays.copyOf(weights, rows);
        Arrays.fill(all, Math.min(rows, weights.length), rows, 1);
        return data.withWeights(all);
    }

    private Dataset withKeys(Dataset data) {
        if (keyed.isEmpty()) {
            return data;
        }
        long[] all = new long[rows];
        Arrays.setAll(all, row -> keyed.get(row) ? keys[row] : RowKeys.ofContent(data, row));
        return data.withKeys(all);
    }

    /** Whether an array is so much longer than needed that a shorter copy pays. */
    static boolean isWasteful(int length, int needed) {
        return length - needed > needed / 16;
    }
}
