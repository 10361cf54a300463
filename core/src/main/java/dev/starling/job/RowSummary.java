package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.data.keys.Fingerprint;
import dev.starling.job.JobRules.LabelRule;
import dev.starling.method.Shape;
import dev.starling.node.ObjectionException;
import dev.starling.settings.Settings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The sizes and labels of rows, of one node or merged over several nodes: the first thing that nodes exchange.
 *
 * @param rows the number of rows
 * @param stored the number of values that sparse rows store; 0 until they have been summed up
 * @param nonZeros the number of values that are not zero, or an upper bound if the exact number does not matter
 * @param narrowest the smallest number of features of a node
 * @param widest the largest number of features of a node
 * @param mostRows the largest number of rows that a process stores together
 * @param narrowNode a node with the smallest number of features
 * @param labels the distinct labels, ascending; empty for regression
 * @param columns a digest of the names of the features in their order; 0 if they have none
 * @param node a node with these columns
 * @param knowing the node that has the most distinct labels
 * @param known the labels of that node
 * @param sizes how large their numbers are
 */
record RowSummary(
        long rows,
        long stored,
        long nonZeros,
        int narrowest,
        int widest,
        long mostRows,
        int narrowNode,
        double[] labels,
        long columns,
        int node,
        int knowing,
        double[] known,
        Units.Sizes sizes) {

    /** More distinct labels than this cannot be classes. */
    static final int MOST_LABELS = 1000;

    /** The number of entries of the longest encoded summary. */
    static final int LONGEST = 12 + Units.Sizes.COUNT + 2 * MOST_LABELS;

    private static final int FEW_VALUES = 100;
    private static final int HEAD = 10 + Units.Sizes.COUNT;

    static RowSummary of(NodeRows rows, int node, Settings settings) {
        if (rows.count() == 0) {
            throw new InvalidInputException("there are no rows; every node needs at least one");
        }
        Dataset data = rows.data();
        double[] labels = settings.loss().isClassification() ? labels(rows) : new double[0];
        return new RowSummary(
                rows.count(),
                0,
                0,
                data.features(),
                data.features(),
                data.rows(),
                node,
                labels,
                columns(data.names()),
                node,
                node,
                labels,
                Units.Sizes.of(data, settings));
    }

    /** The number of values that a node's rows store, and the number of those that are not zero. */
    static double[] values(NodeRows rows) {
        Dataset data = rows.data();
        long stored = data.storedValues();
        // Counting non-zeros takes time; it only matters if a dense layout may be better or if rows have many values.
        boolean matters = data.isDense()
                || 2 * stored >= (long) rows.count() * data.features()
                || stored > (long) FEW_VALUES * rows.count();
        long nonZeros = matters ? data.nonZeros() : stored;
        return new double[] {data.isDense() ? nonZeros : stored, nonZeros};
    }

    /** Returns a copy with the {@link #values} summed over all nodes. */
    RowSummary with(double[] values) {
        return new RowSummary(
                rows,
                (long) values[0],
                (long) values[1],
                narrowest,
                widest,
                mostRows,
                narrowNode,
                labels,
                columns,
                node,
                knowing,
                known,
                sizes);
    }

    private static double[] labels(NodeRows rows) {
        double[] found = Labels.distinct(rows.data().labels());
        requireFew(found.length);
        return found;
    }

    /** A digest of 48 bits, which a double holds exactly. */
    private static long columns(List<String> names) {
        if (names.isEmpty()) {
            return 0;
        }
        MessageDigest digest = Fingerprint.sha256();
        for (String name : names) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return Math.max(1, ByteBuffer.wrap(digest.digest()).getLong() >>> 16);
    }

    private static void requireFew(int labels) {
        if (labels > MOST_LABELS) {
            throw new InvalidInputException(
                    "more than " + MOST_LABELS + " different labels; to predict numbers, use a regression loss");
        }
    }

    RowSummary merge(RowSummary other) {
        TreeSet<Double> union = new TreeSet<>();
        Arrays.stream(labels).forEach(union::add);
        Arrays.stream(other.labels).forEach(union::add);
        requireFew(union.size());
        if (columns != other.columns) {
            throw new ObjectionException(
                    other.node,
                    "its columns are not those of node " + node
                            + "; their names, their order and their number must be the same everywhere");
        }
        RowSummary narrower = other.narrowest < narrowest ? other : this;
        RowSummary better = other.known.length > known.length ? other : this;
        return new RowSummary(
                rows + other.rows,
                stored + other.stored,
                nonZeros + other.nonZeros,
                narrower.narrowest,
                Math.max(widest, other.widest),
                Math.max(mostRows, other.mostRows),
                narrower.narrowNode,
                union.stream().mapToDouble(Double::doubleValue).toArray(),
                columns,
                node,
                better.knowing,
                better.known,
                sizes.and(other.sizes));
    }

    double[] encode() {
        double[] numbers = new double[HEAD + 2 + labels.length + known.length];
        double[] head = {rows, stored, nonZeros, narrowest, widest, mostRows, narrowNode, knowing, columns, node};
        System.arraycopy(head, 0, numbers, 0, head.length);
        System.arraycopy(sizes.encode(), 0, numbers, head.length, Units.Sizes.COUNT);
        numbers[HEAD] = labels.length;
        System.arraycopy(labels, 0, numbers, HEAD + 1, labels.length);
        numbers[HEAD + 1 + labels.length] = known.length;
        System.arraycopy(known, 0, numbers, HEAD + 2 + labels.length, known.length);
        return numbers;
    }

    static RowSummary decode(double[] numbers) {
        int labels = numbers.length > HEAD ? (int) numbers[HEAD] : -1;
        int known = labels >= 0 && numbers.length > HEAD + 1 + labels ? (int) numbers[HEAD + 1 + labels] : -1;
        if (known < 0
                || numbers.length != HEAD + 2 + labels + known
                || !(numbers[0] >= 1)
                || !Arrays.stream(numbers, HEAD, numbers.length).allMatch(Double::isFinite)) {
            throw new InvalidInputException(
                    "a summary of rows that makes no sense; do all nodes run the same version?");
        }
        return new RowSummary(
                (long) numbers[0],
                (long) numbers[1],
                (long) numbers[2],
                (int) numbers[3],
                (int) numbers[4],
                (long) numbers[5],
                (int) numbers[6],
                Arrays.copyOfRange(numbers, HEAD + 1, HEAD + 1 + labels),
                (long) numbers[8],
                (int) numbers[9],
                (int) numbers[7],
                Arrays.copyOfRange(numbers, HEAD + 2 + labels, numbers.length),
                Units.Sizes.decode(Arrays.copyOfRange(numbers, HEAD - Units.Sizes.COUNT, HEAD)));
    }

    /** Refuses numbers of features that the rules of the job do not allow. */
    void requireWidth(JobRules rules) {
        if (rules.sameWidth() && narrowest != widest) {
            throw new InvalidInputException("rows of " + widest + " features at one node and " + narrowest
                    + " at another; all must have the same number");
        }
        if (widest > rules.maxFeatures()) {
            throw new InvalidInputException(
                    "rows of " + widest + " features at one node; at most " + rules.maxFeatures() + " are allowed");
        }
    }

    /** The classes, as determined by a rule. */
    double[] classes(LabelRule rule) {
        return switch (rule) {
            case FOUND -> {
                Labels.requireClasses(labels);
                yield labels;
            }
            case KNOWN_TO_ONE -> {
                Labels.requireClasses(labels);
                if (known.length < labels.length) {
                    throw new ObjectionException(
                            knowing,
                            "labels must mean the same everywhere, and no node has all of " + Arrays.toString(labels)
                                    + ": one has " + Arrays.toString(known) + "; list the labels in the settings");
                }
                yield labels;
            }
            case COUNTED -> {
                double[] counted = new double[(int) labels[labels.length - 1] + 1];
                Arrays.setAll(counted, k -> k);
                yield counted;
            }
        };
    }

    /** The shape and layout that the rows of all nodes get. */
    Shape shape(boolean centred, boolean bias) {
        int width = widest + (bias ? 1 : 0);
        long values = centred ? rows * width : nonZeros + (bias ? rows : 0);
        boolean dense = Dataset.densePays(values, rows, width);
        return new Shape(width, rows, dense ? rows * width : stored + (bias ? rows : 0), values, dense);
    }

    /** Whether raw rows get the dense layout anyway, so that centring them does no harm. */
    boolean isDense() {
        return shape(false, false).dense();
    }
}
