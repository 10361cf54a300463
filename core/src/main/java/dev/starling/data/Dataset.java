package dev.starling.data;

import dev.starling.cores.Loops;
import dev.starling.data.Parts.Part;
import dev.starling.data.keys.RowKeys;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Labelled rows: the features x and the label y of each row, and optionally its weight. Immutable.
 *
 * <p>{@link Values} are floats where those are exact and doubles elsewhere; all arithmetic is in double. Rows are
 * either <em>sparse</em> (compressed rows: row {@code i} occupies positions {@code start(i) .. end(i)} of
 * {@link #columns} and {@link #values}, columns ascending from 0) or <em>dense</em> ({@code features()} consecutive
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
    private final Parts stored;
    /** The arrays, if all rows are in one part: looking it up would cost as much as a few values. */
    private final Values values;

    private final int[] columns;
    private final int[] starts;
    private final double[] labels;
    private final double[] weights;
    private final double[] offsets;
    private final double[] entries;
    private final long[] keys;
    private final List<String> names;

    private Dataset(
            int features,
            boolean dense,
            Parts stored,
            double[] labels,
            double[] weights,
            double[] offsets,
            double[] entries,
            long[] keys,
            List<String> names) {
        this.features = features;
        this.dense = dense;
        this.stored = stored;
        Part whole = stored.inTurn.size() == 1 ? stored.inTurn.get(0) : Parts.NONE;
        this.values = whole.values();
        this.columns = whole.columns();
        this.starts = whole.starts();
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
        this(rows.features, rows.dense, rows.stored, labels, weights, offsets, entries, keys, names);
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
        return of(features, false, Parts.whole(labels.length, rowStarts, columns, values), labels)
                .dividedIfAsked();
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
        return of(features, true, Parts.whole(labels.length, null, NO_COLUMNS, values), labels)
                .dividedIfAsked();
    }

    /** Rows of which nothing is known but their values and labels. */
    static Dataset of(int features, boolean dense, Parts stored, double[] labels) {
        return new Dataset(features, dense, stored, labels, null, null, null, null, List.of());
    }

    /**
     * Rows one after another, all with the same layout; wherever some end, a part {@linkplain Parts#mayBegin may
     * begin}.
     */
    static Dataset joined(int features, List<Dataset> all) {
        double[] labels = new double[all.stream().mapToInt(Dataset::rows).sum()];
        List<Part> inTurn = new ArrayList<>();
        int first = 0;
        for (Dataset one : all) {
            for (Part part : one.stored.inTurn) {
                inTurn.add(part.after(first));
            }
            System.arraycopy(one.labels, 0, labels, first, one.rows());
            first += one.rows();
        }
        return of(features, all.get(0).dense, new Parts(inTurn), labels);
    }

    private Dataset dividedIfAsked() {
        return Parts.areAsked() ? picked(turns(rows(), 0, 1)) : this;
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
        long sum = dense ? (long) rows() * features : 0;
        for (Part part : stored.inTurn) {
            sum += dense ? 0 : end(part.next() - 1);
        }
        return sum;
    }

    private Part part(int row) {
        return stored.of(row);
    }

    /** Where the values of a row begin in {@link #values(int)}. */
    public int start(int row) {
        if (values != null) {
            return dense ? row * features : starts[row];
        }
        Part part = part(row);
        return dense ? (row - part.first()) * features : part.starts()[row - part.first()];
    }

    /** Where the values of a row end. */
    public int end(int row) {
        if (values != null) {
            return dense ? (row + 1) * features : starts[row + 1];
        }
        Part part = part(row);
        return dense ? (row - part.first() + 1) * features : part.starts()[row - part.first() + 1];
    }

    /**
     * The columns of the values of some rows, among them the given one; empty when dense. The array may be longer than
     * needed. Not a copy: do not write to it.
     */
    public int[] columns(int row) {
        return values != null ? columns : part(row).columns();
    }

    /** The stored values of some rows, among them the given one; there may be room for more. */
    public Values values(int row) {
        return values != null ? values : part(row).values();
    }

    /** The column of one of a row's values: of that at a position from {@link #start} up to {@link #end}. */
    public int column(int row, int position) {
        return dense ? position - start(row) : columns(row)[position];
    }

    /** One of a row's values: that at a position from {@link #start} up to {@link #end}. */
    public double value(int row, int position) {
        return values(row).at(position);
    }

    /** Whether all values are kept as floats, without loss. */
    public boolean areFloats() {
        boolean all = true;
        for (Part part : stored.inTurn) {
            all &= part.values().areFloats();
        }
        return all;
    }

    boolean isInOnePart() {
        return values != null;
    }

    /** Whether the values are those of other rows, not copies. */
    public boolean hasValuesOf(Dataset rows) {
        return stored == rows.stored;
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
        if (areFloats()) {
            return this;
        }
        long[] exactKeys = new long[rows()];
        Arrays.setAll(exactKeys, row -> RowKeys.ofContent(this, row));
        return laidOutAs(features, dense, stored.with(Values::rounded)).withKeys(exactKeys);
    }

    /** Changes the values of columns. */
    @FunctionalInterface
    public interface Change {
        /** What a value of a column, numbered from 0, becomes. */
        double of(int column, double value);
    }

    /**
     * The same rows with every stored value changed; they are kept as floats where all of a part are exact in floats.
     */
    public Dataset changed(Change change) {
        return laidOutAs(
                features,
                dense,
                new Parts(stored.inTurn.stream()
                        .map(part -> part.with(changed(part, change)))
                        .toList()));
    }

    private Values changed(Part part, Change change) {
        double[] all = part.values().toArray();
        for (int row = part.first(); row < part.next(); row++) {
            for (int k = start(row); k < end(row); k++) {
                all[k] = change.of(column(row, k), all[k]);
                ArrayChecks.requireFinite(row, column(row, k), all[k]);
            }
        }
        return Values.compact(all);
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
        return dense ? Layouts.widened(this, newFeatures, 0) : laidOutAs(newFeatures, false, stored);
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
        return dense ? Layouts.widened(this, features + 1, bias) : Layouts.sparseWithBias(this, bias);
    }

    /** A copy of the given rows, in that order, contiguous in memory. */
    public Dataset picked(int[] rows) {
        Parts copy = dense
                ? Parts.dense(rows.length, features, areFloats())
                : Parts.sparse(rows.length, r -> length(rows[r]), areFloats());
        Dataset some = new Dataset(
                features,
                dense,
                copy,
                picked(labels, rows),
                picked(weights, rows),
                picked(offsets, rows),
                picked(entries, rows),
                keys == null
                        ? null
                        : Arrays.stream(rows).mapToLong(row -> keys[row]).toArray(),
                names);
        for (int r = 0; r < rows.length; r++) {
            some.copy(r, this, rows[r]);
        }
        return some;
    }

    /** How many values of a row are stored. */
    int length(int row) {
        return end(row) - start(row);
    }

    /** Copies the values of a row, as many as there are and as there is room for, and their columns. */
    void copy(int row, Dataset from, int other) {
        int start = from.start(other);
        int length = Math.min(length(row), from.length(other));
        from.values(other).copyTo(start, values(row), start(row), length);
        if (!dense) {
            System.arraycopy(from.columns(other), start, columns(row), start(row), length);
        }
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
        if (perRow == null) {
            return null;
        }
        double[] some = new double[rows.length];
        for (int r = 0; r < rows.length; r++) {
            some[r] = perRow[rows[r]];
        }
        return some;
    }

    /** The memory in bytes that {@link #picked} would take for all rows. */
    public long sizeOfCopy() {
        return storedValues() * ((areFloats() ? Float.BYTES : Double.BYTES) + (dense ? 0 : Integer.BYTES))
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
    Dataset laidOutAs(int newFeatures, boolean asDense, Parts as) {
        return new Dataset(newFeatures, asDense, as, labels, weights, offsets, entries, keys, names);
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
        return features > 0 && 2 * nonZeros >= rows * features;
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
    private Parts.Extent extent() {
        if (stored.found == null) {
            LongAdder nonZeros = new LongAdder();
            DoubleAccumulator largest = new DoubleAccumulator(Math::max, 0);
            overRows((from, to) -> {
                for (int row = from, next; row < to; row = next) {
                    next = Math.min(to, part(row).next());
                    Parts.Extent found = values(row).extent(start(row), end(next - 1));
                    nonZeros.add(found.nonZeros());
                    largest.accumulate(found.largest());
                }
            });
            stored.found = new Parts.Extent(nonZeros.sum(), largest.get());
        }
        return stored.found;
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
        return dense
                ? denseDot(values(row), start(row), w)
                : sparseDot(columns(row), values(row), start(row), end(row), w);
    }

    /** A longer vector, such as one of several blocks, would be used in part without anyone noticing. */
    private void requireLength(double[] w) {
        if (w.length != features) {
            throw new IllegalArgumentException("a vector of " + w.length + " numbers for rows of " + features
                    + " features; give it one number per feature");
        }
    }

    private double denseDot(Values own, int start, double[] w) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int c = 0;
        for (; c + 3 < features; c += 4) {
            sum0 = Math.fma(own.at(start + c), w[c], sum0);
            sum1 = Math.fma(own.at(start + c + 1), w[c + 1], sum1);
            sum2 = Math.fma(own.at(start + c + 2), w[c + 2], sum2);
            sum3 = Math.fma(own.at(start + c + 3), w[c + 3], sum3);
        }
        for (; c < features; c++) {
            sum0 = Math.fma(own.at(start + c), w[c], sum0);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    private static double sparseDot(int[] places, Values own, int start, int end, double[] w) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int k = start;
        for (; k + 3 < end; k += 4) {
            sum0 = Math.fma(own.at(k), w[places[k]], sum0);
            sum1 = Math.fma(own.at(k + 1), w[places[k + 1]], sum1);
            sum2 = Math.fma(own.at(k + 2), w[places[k + 2]], sum2);
            sum3 = Math.fma(own.at(k + 3), w[places[k + 3]], sum3);
        }
        for (; k < end; k++) {
            sum0 = Math.fma(own.at(k), w[places[k]], sum0);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    /** w += scale · x for one row. */
    public void addTo(int row, double scale, double[] w) {
        addTo(row, scale, w, 0);
    }

    /** w += scale · x for one row, where w begins at a place in the array. */
    public void addTo(int row, double scale, double[] w, int first) {
        int start = start(row);
        int end = end(row);
        Values own = values(row);
        if (dense) {
            int distance = first - start;
            for (int k = start; k < end; k++) {
                w[k + distance] = Math.fma(scale, own.at(k), w[k + distance]);
            }
        } else {
            int[] places = columns(row);
            for (int k = start; k < end; k++) {
                int at = first + places[k];
                w[at] = Math.fma(scale, own.at(k), w[at]);
            }
        }
    }

    /** ‖x‖² for one row; the same bits whatever the layout. */
    public double squaredNorm(int row) {
        double sum = 0;
        Values own = values(row);
        int end = end(row);
        for (int k = start(row); k < end; k++) {
            double value = own.at(k);
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
                        Locale.US, "sparse, %.1f values per row", (double) storedValues() / Math.max(1, rows()));
        return "Dataset[" + rows() + " rows × " + features + " features, " + layout
                + (isWeighted() ? ", weighted]" : "]");
    }
}
