package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.node.SavedState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rows of a node: first, first + stride, first + 2·stride, … of a dataset. A node that has a process to itself has
 * all rows of its own; where one process has all nodes, they share one dataset and nothing is copied. The one place
 * that deals out rows.
 *
 * @param data the rows, other nodes' perhaps among them
 * @param first the first row of this node
 * @param stride from one row of this node to the next
 * @param keys a number for every row of the dataset that decides on its fold in cross-validation; empty where that is
 *     left to what the row says
 * @param unfinished how they are finished together with those of other nodes, if that is still to be done
 */
public record NodeRows(Dataset data, int first, int stride, long[] keys, Optional<UnfinishedRows> unfinished) {

    private static final long[] NO_KEYS = {};

    /** Rows that are as they should be. */
    public NodeRows(Dataset data, int first, int stride, long[] keys) {
        this(data, first, stride, keys, Optional.empty());
    }

    /** Rows without keys. */
    public NodeRows(Dataset data, int first, int stride) {
        this(data, first, stride, NO_KEYS);
    }

    /** All rows of a dataset. */
    public static NodeRows all(Dataset data) {
        return all(data, NO_KEYS);
    }

    /**
     * All rows of a dataset.
     *
     * @param keys one for every row, or none
     */
    public static NodeRows all(Dataset data, long[] keys) {
        return new NodeRows(data, 0, 1, keys);
    }

    /** Rows of a node that has a process to itself, in place of those that all nodes have yet to finish together. */
    public NodeRows finishedBy(UnfinishedRows rows) {
        return new NodeRows(data, first, stride, keys, Optional.of(rows));
    }

    /** The rows as they are once all that it takes has been added up. */
    NodeRows finished() {
        return unfinished
                .map(rows -> new NodeRows(rows.rows(), first, stride, keys))
                .orElse(this);
    }

    /** The rows of all nodes, without keys. */
    public static List<NodeRows> dealt(Dataset data, int nodes) {
        return dealt(data, nodes, NO_KEYS);
    }

    /**
     * The rows of all nodes: row r goes to node r mod nodes.
     *
     * @param keys one for every row, or none
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

    /** Some rows of the dataset by themselves: a copy, with their keys. */
    NodeRows only(int[] some) {
        long[] own = keys.length == 0
                ? keys
                : Arrays.stream(some).mapToLong(row -> keys[row]).toArray();
        return all(data.picked(some), own);
    }

    /** How many they are. */
    public int count() {
        return Math.max(0, (data.rows() - first + stride - 1) / stride);
    }

    /** The row of the dataset that the k-th of them is. */
    public int row(int k) {
        return first + k * stride;
    }

    /** Whose states are those of a node with these rows. */
    SavedState.Owner owner(int node) {
        return new SavedState.Owner(node, data.features(), count());
    }
}
