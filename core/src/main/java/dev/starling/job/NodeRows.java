package dev.starling.job;

import dev.starling.cores.Loops;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.node.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rows of a node.
 *
 * @param data the rows themselves
 * @param keys a number for every row, which determines its fold in cross-validation; empty if its content does
 * @param unfinished how the rows are finished together with those of other nodes, if that is still to be done
 */
public record NodeRows(Dataset data, long[] keys, Optional<UnfinishedRows> unfinished) {

    private static final long[] NO_KEYS = {};

    /** Rows without keys. */
    public static NodeRows all(Dataset data) {
        return all(data, NO_KEYS);
    }

    /**
     * Rows that are already finished.
     *
     * @param keys one key per row; empty for none
     */
    public static NodeRows all(Dataset data, long[] keys) {
        return new NodeRows(data, keys, Optional.empty());
    }

    /**
     * Returns these rows, of a node that has a process to itself, as provisional ones that all nodes have yet to
     * finish.
     */
    public NodeRows finishedBy(UnfinishedRows rows) {
        return new NodeRows(data, keys, Optional.of(rows));
    }

    /** The finished rows, once all necessary sums are known. */
    NodeRows finished() {
        return unfinished.map(rows -> all(rows.rows(), keys)).orElse(this);
    }

    /**
     * Divides the rows of a dataset among nodes. Each node's rows are a copy, so that they lie together in memory,
     * unless there is only one node.
     *
     * @param rows the numbers of each node's rows
     * @param keys one key per row; empty for none
     */
    public static List<NodeRows> dealt(Dataset data, int[][] rows, long[] keys) {
        NodeRows whole = all(data, keys);
        if (rows.length == 1) {
            return List.of(whole);
        }
        NodeRows[] dealt = new NodeRows[rows.length];
        Loops.run(rows.length, node -> dealt[node] = whole.only(rows[node]));
        return List.of(dealt);
    }

    /**
     * Divides the rows of a dataset among nodes, rows with the same key to the same one: keys take turns in the order
     * in which they first occur.
     *
     * @throws InvalidInputException if there are fewer different keys than nodes
     */
    public static List<NodeRows> dealtByKey(Dataset data, int nodes, long[] keys) {
        Map<Long, List<Integer>> byKey = new LinkedHashMap<>();
        for (int row = 0; row < data.rows(); row++) {
            byKey.computeIfAbsent(keys[row], any -> new ArrayList<>()).add(row);
        }
        if (byKey.size() < nodes) {
            throw tooFewKeys(nodes, byKey.size());
        }
        NodeRows whole = all(data, keys);
        List<List<Integer>> clusters = List.copyOf(byKey.values());
        return IntStream.range(0, nodes)
                .mapToObj(node -> whole.only(IntStream.range(0, clusters.size())
                        .filter(cluster -> cluster % nodes == node)
                        .boxed()
                        .flatMap(cluster -> clusters.get(cluster).stream())
                        .mapToInt(Integer::intValue)
                        .toArray()))
                .toList();
    }

    /** The refusal of more nodes than there are clusters. */
    public static InvalidInputException tooFewKeys(int nodes, int keys) {
        return new InvalidInputException(nodes + " nodes for " + keys
                + " clusters; every node needs at least one, so use at most " + keys + " nodes");
    }

    /** A copy of some of the rows, with their keys. */
    NodeRows only(int[] some) {
        long[] own = keys.length == 0
                ? keys
                : Arrays.stream(some).mapToLong(row -> keys[row]).toArray();
        return all(data.picked(some), own);
    }

    /** The number of this node's rows. */
    public int count() {
        return data.rows();
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
            totals[classes.indexOf(data.label(j) + 0.0)] += data.weight(j);
        }
        return totals;
    }
}
