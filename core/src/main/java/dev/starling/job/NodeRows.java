package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.node.State;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rows of a node: rows first, first + stride, first + 2·stride, … of a dataset. A node that has a process to itself
 * owns all rows of its dataset; nodes in the same process share one dataset, and nothing is copied.
 *
 * @param data the dataset, which may also contain rows of other nodes
 * @param first the index of this node's first row
 * @param stride the distance from one row of this node to the next
 * @param keys a number for every row of the dataset, which determines its fold in cross-validation; empty if its
 *     content does
 * @param unfinished how the rows are finished together with those of other nodes, if that is still to be done
 */
public record NodeRows(Dataset data, int first, int stride, long[] keys, Optional<UnfinishedRows> unfinished) {

    private static final long[] NO_KEYS = {};

    /** Creates rows that are already finished. */
    public NodeRows(Dataset data, int first, int stride, long[] keys) {
        this(data, first, stride, keys, Optional.empty());
    }

    /** Creates rows without keys. */
    public NodeRows(Dataset data, int first, int stride) {
        this(data, first, stride, NO_KEYS);
    }

    /** All rows of a dataset, without keys. */
    public static NodeRows all(Dataset data) {
        return all(data, NO_KEYS);
    }

    /**
     * All rows of a dataset.
     *
     * @param keys one key per row; empty for none
     */
    public static NodeRows all(Dataset data, long[] keys) {
        return new NodeRows(data, 0, 1, keys);
    }

    /**
     * Returns these rows, of a node that has a process to itself, as provisional ones that all nodes have yet to
     * finish.
     */
    public NodeRows finishedBy(UnfinishedRows rows) {
        return new NodeRows(data, first, stride, keys, Optional.of(rows));
    }

    /** The finished rows, once all necessary sums are known. */
    NodeRows finished() {
        return unfinished
                .map(rows -> new NodeRows(rows.rows(), first, stride, keys))
                .orElse(this);
    }

    /** Divides the rows of a dataset among nodes, without keys. */
    public static List<NodeRows> dealt(Dataset data, int nodes) {
        return dealt(data, nodes, NO_KEYS);
    }

    /**
     * Divides the rows of a dataset among nodes: row r goes to node r mod nodes.
     *
     * @param keys one key per row; empty for none
     * @throws InvalidInputException if there are fewer rows than nodes
     */
    public static List<NodeRows> dealt(Dataset data, int nodes, long[] keys) {
        if (nodes < 1) {
            throw new InvalidInputException(nodes + " nodes; there must be at least one");
        }
        if (nodes > data.rows()) {
            throw new InvalidInputException(nodes + " nodes for " + data.rows()
                    + " samples; every node needs at least one, so use at most " + data.rows() + " nodes");
        }
        return IntStream.range(0, nodes)
                .mapToObj(node -> new NodeRows(data, node, nodes, keys))
                .toList();
    }

    /** A copy of some rows of the dataset, with their keys. */
    NodeRows only(int[] some) {
        long[] own = keys.length == 0
                ? keys
                : Arrays.stream(some).mapToLong(row -> keys[row]).toArray();
        return all(data.picked(some), own);
    }

    /** The number of this node's rows. */
    public int count() {
        return Math.max(0, (data.rows() - first + stride - 1) / stride);
    }

    /** The index in the dataset of this node's k-th row. */
    public int row(int k) {
        return first + k * stride;
    }

    /** The owner of the saved states of a node with these rows. */
    State.Owner owner(int node) {
        return new State.Owner(node, data.features(), count());
    }

    /** The total weight of the rows of each class. */
    double[] weightByClass(Labels labels) {
        List<Double> classes = labels.classes();
        double[] totals = new double[classes.size()];
        for (int j = 0; j < count(); j++) {
            totals[classes.indexOf(data.label(row(j)) + 0.0)] += data.weight(row(j));
        }
        return totals;
    }
}
