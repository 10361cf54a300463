package dev.starling.data;

import dev.starling.cores.Loops;
import dev.starling.data.keys.RowKeys;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Labelled rows: the features x and the label y of each row, and optionally its weight. Immutable.
 *
 * <p>{@link Values} are floats where those are exact and doubles elsewhere; all arithmetic is in double. Rows are
 * either <em>sparse</em> (compressed rows: row {@code i} occupies positions {@code start(i) .. end(i)} of
 * {@link #columns()} and {@link #values()}, columns ascending from 0) or <em>dense</em> ({@code features()} consecutive
 * values per row, no columns).
 *
 * <p>The arrays are shared, not copied, so that a gigabyte of rows exists only once: callers must not write to them.
 *
 * <p>This class is longer than most: it keeps both layouts and the arithmetic on them together, behind one final type,
 * so that no call needs dynamic dispatch.
 */
public final class Dataset implements Serializable {

    private static final long serialVersionUID = 1;

    static final int[] NO_COLUMNS = {};

    private final int features;
    private final boolean dense;
    private final int[] rowStarts;
    private final int[] columns;
    private final Values values;
    private final double[] labels;
    private final double[] weights;
    private final double[] offsets;
    private final double[] entries;
    private final long[] keys;
    private final List<String> names;

    /** Creates a dataset; {@code columns} and {@code values} may be longer than the rows need. */
    Dataset(
            int features,
            boolean dense,
            int[] rowStarts,
            int[] columns,
            Values values,
            double[] labels,
            double[] weights,
            double[] offsets,
            double[] entries,
            long[] keys,
            List<String> names) {
        this.features = features;
        this.dense = dense;
        this.rowStarts = rowStarts;
        this.columns = columns;
        this.values = values;
        this.labels = labels;
        this.weights = weights;
        this.offsets = offsets;
        this.entries = entries;
        this.keys = keys;
        this.names = names;
    }

    /** Creates the same rows with something else known of them. */
    private Dataset(
            Dataset rows,
            double[] labels,
            double[] weights,
            double[] offsets,
            double[] entries,
            long[] keys,
            List<String> names) {
        this(
                rows.features,
                rows.dense,
                rows.rowStarts,
                rows.columns,
                rows.values,
                labels,
                weights,
                offsets,
                entries,
                keys,
                names);
    }

    /**
     * Creates a dataset from rows that have a value for every feature.
     *
     * @throws InvalidInputException if there are no rows, rows differ in length, or a value or label is not finite
     */
    public static Dataset of(double[][] rows, double[] labels) {
        return DatasetBuilder.of(rows, labels);
    }

    /** Returns a builder that collects rows one by one. */
    public static DatasetBuilder builder(int features) {
        return new DatasetBuilder(features);
    }

    /**
     * Creates a dataset from sparse rows in compressed (CSR) form.
     *
     * @param features number of columns
     * @param rowStarts where each row starts, followed by where the last one ends
     * @param columns the column of each stored value, from 0, ascending within a row
     * @param values the stored values
     * @param labels one label per row
     * @throws InvalidInputException if columns do not ascend or are out of range, or a value or label is not finite
     */
    public static Dataset sparse(int features, int[] rowStarts, int[] columns, float[] values, double[] labels) {
        return sparse(features, rowStarts, columns, Values.of(values), labels);
    }

    /** Creates the same from doubles, which are kept as floats if all of them are exact in floats. */
    public static Dataset sparse(int features, int[] rowStarts, int[] columns, double[] values, double[] labels) {
        return sparse(features, rowStarts, columns, Values.compact(values), labels);
    }

    /** Creates the same from the values of other rows. */
    public static Dataset sparse(int features, int[] rowStarts, int[] columns, Values values, double[] labels) {
        Objects.requireNonNull(columns, "columns");
        if (rowStarts.length != labels.length + 1) {
            throw new IllegalArgumentException("rowStarts has " + rowStarts.length + " entries; " + labels.length
                    + " rows need one more than rows");
        }
        ArrayChecks.requireSparse(features, rowStarts, columns, values);
        ArrayChecks.requireFinite(labels, "label");
        return unchecked(features, rowStarts, columns, values, labels);
    }

    /** Sparse rows that were checked where they came from. */
    static Dataset unchecked(int features, int[] rowStarts, int[] columns, Values values, double[] labels) {
        return new Dataset(features, false, rowStarts, columns, values, labels, null, null, null, null, List.of());
    }

    /**
     * Creates a dataset from dense rows, stored one after another, with {@code features} values each.
     *
     * @throws InvalidInputException if a value or label is not finite
     */
    public static Dataset dense(int features, float[] values, double[] labels) {
        return dense(features, Values.of(values), labels);
    }

    /** Creates the same from doubles, which are kept as floats if all of them are exact in floats. */
    public static Dataset dense(int features, double[] values, double[] labels) {
        return dense(features, Values.compact(values), labels);
    }

    /** Creates the same from the values of other rows. */
    public static Dataset dense(int features, Values values, double[] labels) {
        if (values.length() != (long) features * labels.length) {
            throw new IllegalArgumentException("values has " + values.length() + " entries; " + labels.length
                    + " rows of " + features + " features need " + (long) features * labels.length);
        }
        ArrayChecks.requireDense(features, values);
        ArrayChecks.requireFinite(labels, "label");
        return unchecked(features, values, labels);
    }

    /** Dense rows that were checked where they came from. */
    static Dataset unchecked(int features, Values values, double[] labels) {
        return new Dataset(features, true, null, NO_COLUMNS, values, labels, null, null, null, null, List.of());
    }

    /** Number of rows. */
    public int rows() {
        return labels.length;
    }

    /** Number of columns, d. */
    public int features() {
        return features;
    }

    /** Whether rows are stored with all their columns. */
    public boolean isDense() {
        return dense;
    }

    /** Number of stored values, zeros included when dense. */
    public long storedValues() {
        return dense ? (long) rows() * features : rowStarts[rows()];
    }

    /** Position of the first stored value of a row. */
    public int start(int row) {
        return dense ? row * features : rowStarts[row];
    }

    /** Position after the last stored value of a row. */
    public int end(int row) {
        return dense ? (row + 1) * features : rowStarts[row + 1];
    }

    /**
     * Column of every stored value; empty when dense. The array may be longer than needed. Not a copy: do not write to
     * it.
     */
    public int[] columns() {
        return columns;
    }

    /** Every stored value; there may be room for more. */
    public Values values() {
        return values;
    }

    /** The label of a row, as the user gave it. */
    public double label(int row) {
        return labels[row];
    }

    /** All labels. Not a copy: do not write to it. */
    public double[] labels() {
        return labels;
    }

    /** The weight of a row; 1 unless weights were given. */
    public double weight(int row) {
        return weights == null ? 1.0 : weights[row];
    }

    /** Whether rows carry weights of their own. */
    public boolean isWeighted() {
        return weights != null;
    }

    /**
     * The row's offset: a fixed number added to xᵀw whatever the weights w of a model are; 0 unless offsets were given.
     */
    public double offset(int row) {
        return offsets == null ? 0 : offsets[row];
    }

    /** Whether rows carry offsets: see {@link #offset}. */
    public boolean hasOffsets() {
        return offsets != null;
    }

    /**
     * When the row came to be watched, if labels are times to an event and rows may come late; negative infinity unless
     * such times were given.
     */
    public double entry(int row) {
        return entries == null ? Double.NEGATIVE_INFINITY : entries[row];
    }

    /** Whether rows may have come to be watched late: see {@link #entry}. */
    public boolean hasEntries() {
        return entries != null;
    }

    /** Whether rows carry keys of their own, which {@link RowKeys#ofContent(Dataset, int)} then returns. */
    public boolean isKeyed() {
        return keys != null;
    }

    /** The row's own key; only if {@link #isKeyed}. */
    public long key(int row) {
        return keys[row];
    }

    /**
     * The names of the features, starting with the first. Features that were added later have no names; the list is
     * empty if none has.
     */
    public List<String> names() {
        return names;
    }

    /** The same rows with names for the features: one for each, or none at all. */
    public Dataset withNames(List<String> perFeature) {
        if (!perFeature.isEmpty() && perFeature.size() != features) {
            throw new InvalidInputException(
                    perFeature.size() + " names for " + features + " features; there must be one for each, or none");
        }
        return called(perFeature);
    }

    /** The same rows with names for the first features. */
    Dataset called(List<String> first) {
        return new Dataset(this, labels, weights, offsets, entries, keys, List.copyOf(first));
    }

    /** The same rows with other labels. */
    public Dataset withLabels(double[] newLabels) {
        requireOnePerRow(newLabels, "labels");
        ArrayChecks.requireFinite(newLabels, "label");
        return labelled(newLabels);
    }

    /** Returns the same rows with labels that are known to be finite, one per row. */
    Dataset labelled(double[] newLabels) {
        return new Dataset(this, newLabels, weights, offsets, entries, keys, names);
    }

    /**
     * The same rows with every value rounded to a float. Their keys stay those of the rows as they are, so that the
     * same rows are held out.
     *
     * @throws InvalidInputException if a value is too large for one
     */
    public Dataset inFloats() {
        if (values.areFloats()) {
            return this;
        }
        long[] exactKeys = new long[rows()];
        Arrays.setAll(exactKeys, row -> RowKeys.ofContent(this, row));
        return laidOutAs(features, dense, rowStarts, columns, values.rounded()).withKeys(exactKeys);
    }

    /** The same rows with other stored values, which are kept as floats if all of them are exact in floats. */
    public Dataset withValues(double[] newValues) {
        return laidOutAs(features, dense, rowStarts, columns, Values.compact(newValues));
    }

    /** The same rows with weights, each positive and finite. */
    public Dataset withWeights(double[] newWeights) {
        requireOnePerRow(newWeights, "weights");
        for (int i = 0; i < newWeights.length; i++) {
            if (!(newWeights[i] > 0) || Double.isInfinite(newWeights[i])) {
                throw new InvalidInputException(
                        "row " + (i + 1) + ": weight " + newWeights[i] + " must be positive and finite");
            }
        }
        return new Dataset(this, labels, newWeights, offsets, entries, keys, names);
    }

    /**
     * The same rows with an offset each: a fixed number that is added to xᵀw, like a feature whose coefficient is 1 by
     * definition.
     */
    public Dataset withOffsets(double[] newOffsets) {
        requireOnePerRow(newOffsets, "offsets");
        ArrayChecks.requireFinite(newOffsets, "offset");
        return new Dataset(this, labels, weights, newOffsets, entries, keys, names);
    }

    /** The same rows with the times from which on each was watched; labels are the times at which that ended. */
    public Dataset withEntries(double[] newEntries) {
        requireOnePerRow(newEntries, "entries");
        ArrayChecks.requireFinite(newEntries, "entry");
        return new Dataset(this, labels, weights, offsets, newEntries, keys, names);
    }

    /** The same rows with keys of what they were made from: see {@link RowKeys}. */
    public Dataset withKeys(long[] newKeys) {
        if (newKeys.length != rows()) {
            throw new IllegalArgumentException(newKeys.length + " keys for " + rows() + " rows");
        }
        return new Dataset(this, labels, weights, offsets, entries, newKeys, names);
    }

    /** The same rows with more columns, all zero, to match a model or a neighbour that has more features. */
    public Dataset withFeatures(int newFeatures) {
        if (newFeatures < features) {
            throw new IllegalArgumentException("cannot narrow " + features + " features to " + newFeatures);
        }
        if (newFeatures == features) {
            return this;
        }
        return dense ? widened(newFeatures, 0) : laidOutAs(newFeatures, false, rowStarts, columns, values);
    }

    private Dataset widened(int newFeatures, double fill) {
        return laidOutAs(newFeatures, true, null, NO_COLUMNS, Layouts.widened(this, newFeatures, fill));
    }

    /** The rows with only the first {@code newFeatures} columns: those that a model with fewer features can use. */
    public Dataset narrowed(int newFeatures) {
        if (newFeatures >= features) {
            return this;
        }
        List<String> kept = names.subList(0, Math.min(names.size(), newFeatures));
        return Layouts.narrowed(laidOut(false), newFeatures).called(kept).laidOut(dense);
    }

    /** The same rows with one more column that holds the same value in every row: the intercept's feature. */
    public Dataset withBias(float bias) {
        return dense ? widened(features + 1, bias) : Layouts.sparseWithBias(this, bias);
    }

    /** A copy of the given rows, in that order, contiguous in memory. */
    public Dataset picked(int[] rows) {
        int[] newStarts = new int[rows.length + 1];
        for (int r = 0; r < rows.length; r++) {
            newStarts[r + 1] = Math.addExact(newStarts[r], end(rows[r]) - start(rows[r]));
        }
        Values newValues = Values.zeros(newStarts[rows.length], values.areFloats());
        int[] newColumns = dense ? NO_COLUMNS : new int[newValues.length()];
        for (int r = 0; r < rows.length; r++) {
            int start = start(rows[r]);
            int length = newStarts[r + 1] - newStarts[r];
            values.copyTo(start, newValues, newStarts[r], length);
            if (!dense) {
                System.arraycopy(columns, start, newColumns, newStarts[r], length);
            }
        }
        return new Dataset(
                features,
                dense,
                dense ? null : newStarts,
                newColumns,
                newValues,
                picked(labels, rows),
                weights == null ? null : picked(weights, rows),
                offsets == null ? null : picked(offsets, rows),
                entries == null ? null : picked(entries, rows),
                keys == null
                        ? null
                        : Arrays.stream(rows).mapToLong(row -> keys[row]).toArray(),
                names);
    }

    /**
     * The rows that one of several nodes gets: row r goes to node r mod nodes. They are a copy, contiguous in memory,
     * unless there is only one node.
     */
    public Dataset dealt(int node, int nodes) {
        return nodes == 1 ? this : picked(turns(rows(), node, nodes));
    }

    /** The numbers of those rows. */
    public static int[] turns(int rows, int node, int nodes) {
        int[] own = new int[(int) (((long) rows - node + nodes - 1) / nodes)];
        for (int k = 0; k < own.length; k++) {
            own[k] = node + k * nodes;
        }
        return own;
    }

    private static double[] picked(double[] perRow, int[] rows) {
        double[] some = new double[rows.length];
        for (int r = 0; r < rows.length; r++) {
            some[r] = perRow[rows[r]];
        }
        return some;
    }

    /** The memory in bytes that {@link #picked} would take for all rows. */
    public long sizeOfCopy() {
        return storedValues() * (values.bytesEach() + (dense ? 0 : Integer.BYTES))
                + (long) rows() * (Double.BYTES + (dense ? 0 : Integer.BYTES) + (weights == null ? 0 : Double.BYTES));
    }

    /**
     * The same rows, stored as dense or as sparse ones. The layout determines the order of sums, so all nodes of one
     * network must use the same layout.
     */
    public Dataset laidOut(boolean asDense) {
        return asDense == dense ? this : asDense ? Layouts.dense(this) : Layouts.sparse(this);
    }

    /** The same rows with their features in other arrays. */
    Dataset laidOutAs(int newFeatures, boolean asDense, int[] newStarts, int[] newColumns, Values newValues) {
        return new Dataset(
                newFeatures, asDense, newStarts, newColumns, newValues, labels, weights, offsets, entries, keys, names);
    }

    /** The same rows in the layout that {@link #densePays} recommends. */
    public Dataset wellLaidOut() {
        boolean surelySparse = !dense && !densePays(storedValues(), rows(), features);
        return surelySparse ? this : laidOut(densePays(nonZeros(), rows(), features));
    }

    /**
     * Whether rows with this many non-zero values in total should be stored with all their columns: from half of the
     * values on, that takes no more memory.
     */
    public static boolean densePays(long nonZeros, long rows, int features) {
        return features > 0 && 2 * nonZeros >= rows * features && rows * features < Integer.MAX_VALUE - 8;
    }

    /** Number of stored values that are not zero. */
    public long nonZeros() {
        return extent().nonZeros();
    }

    /** The largest absolute value of any row. */
    public double largest() {
        return extent().largest();
    }

    /** What a pass over the stored values finds, which is made only once. */
    private Values.Extent extent() {
        int from = start(0);
        Values.Extent known = values.found;
        if (known == null || known.from() != from || known.to() != storedValues()) {
            Map<Integer, Values.Extent> parts = new ConcurrentSkipListMap<>();
            overRows((row, next) -> parts.put(row, values.extent(start(row), start(next))));
            known = parts.values().stream().reduce(new Values.Extent(from, from, 0, 0), Values.Extent::and);
            values.found = known;
        }
        return known;
    }

    /** Acts on all rows, some of them at a time, on the caller's {@link dev.starling.cores.Cores}. */
    public void overRows(Loops.Range action) {
        Loops.overRows(rows(), Loops.rows((double) storedValues() / Math.max(1, rows())), action);
    }

    private void requireOnePerRow(double[] array, String what) {
        if (array.length != rows()) {
            throw new InvalidInputException(
                    array.length + " " + what + " for " + rows() + " rows; there must be one per row");
        }
    }

    /**
     * xᵀw for one row, as four partial sums over every fourth stored value, so that additions need not wait for each
     * other.
     */
    public double dot(int row, double[] w) {
        requireLength(w);
        return dense ? denseDot(start(row), w) : sparseDot(rowStarts[row], rowStarts[row + 1], w);
    }

    /** A longer vector, such as one of several blocks, would be used in part without anyone noticing. */
    private void requireLength(double[] w) {
        if (w.length != features) {
            throw new IllegalArgumentException("a vector of " + w.length + " numbers for rows of " + features
                    + " features; give it one number per feature");
        }
    }

    private double denseDot(int start, double[] w) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int c = 0;
        for (; c + 3 < features; c += 4) {
            sum0 = Math.fma(values.at(start + c), w[c], sum0);
            sum1 = Math.fma(values.at(start + c + 1), w[c + 1], sum1);
            sum2 = Math.fma(values.at(start + c + 2), w[c + 2], sum2);
            sum3 = Math.fma(values.at(start + c + 3), w[c + 3], sum3);
        }
        for (; c < features; c++) {
            sum0 = Math.fma(values.at(start + c), w[c], sum0);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    private double sparseDot(int start, int end, double[] w) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int k = start;
        for (; k + 3 < end; k += 4) {
            sum0 = Math.fma(values.at(k), w[columns[k]], sum0);
            sum1 = Math.fma(values.at(k + 1), w[columns[k + 1]], sum1);
            sum2 = Math.fma(values.at(k + 2), w[columns[k + 2]], sum2);
            sum3 = Math.fma(values.at(k + 3), w[columns[k + 3]], sum3);
        }
        for (; k < end; k++) {
            sum0 = Math.fma(values.at(k), w[columns[k]], sum0);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    /** w += scale · x for one row. */
    public void addTo(int row, double scale, double[] w) {
        addTo(row, scale, w, 0);
    }

    /** w += scale · x for one row, where w begins at a place in the array. */
    public void addTo(int row, double scale, double[] w, int first) {
        int to = end(row);
        if (dense) {
            int distance = first - start(row);
            for (int k = start(row); k < to; k++) {
                w[k + distance] = Math.fma(scale, values.at(k), w[k + distance]);
            }
        } else {
            for (int k = rowStarts[row]; k < to; k++) {
                int at = first + columns[k];
                w[at] = Math.fma(scale, values.at(k), w[at]);
            }
        }
    }

    /** ‖x‖² for one row; the same bits whatever the layout. */
    public double squaredNorm(int row) {
        double sum = 0;
        int to = end(row);
        for (int k = start(row); k < to; k++) {
            double value = values.at(k);
            sum += value * value;
        }
        return sum;
    }

    /** The numbers of rows and features, and the layout. */
    @Override
    public String toString() {
        String layout = dense
                ? "dense"
                : String.format(
                        Locale.ROOT, "sparse, %.1f values per row", (double) storedValues() / Math.max(1, rows()));
        return "Dataset[" + rows() + " rows × " + features + " features, " + layout
                + (isWeighted() ? ", weighted]" : "]");
    }
}
