package dev.starling.peer.setup;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.table.Table;
import java.util.Arrays;

/** Distributes the rows of one dataset among sites, exactly as training on one machine distributes them among nodes. */
public final class RowSplit {

    private RowSplit() {}

    /** Returns the rows of a node: every {@code nodes}-th row, starting with row {@code node}, counted from 0. */
    public static Dataset part(Dataset rows, int node, int nodes) {
        requireNode(rows.rows(), node, nodes);
        int count = (rows.rows() - node + nodes - 1) / nodes;
        int stored = 0;
        for (int j = 0; j < count; j++) {
            int row = node + j * nodes;
            stored += rows.end(row) - rows.start(row);
        }
        int[] offsets = new int[count + 1];
        int[] columns = new int[stored];
        double[] values = new double[stored];
        double[] labels = new double[count];
        double[] weights = new double[count];
        int at = 0;
        for (int j = 0; j < count; j++) {
            int row = node + j * nodes;
            int start = rows.start(row);
            for (int k = start; k < rows.end(row); k++) {
                if (rows.values().at(k) != 0) {
                    columns[at] = rows.isDense() ? k - start : rows.columns()[k];
                    values[at++] = rows.values().at(k);
                }
            }
            offsets[j + 1] = at;
            labels[j] = rows.label(row);
            weights[j] = rows.weight(row);
        }
        Dataset part =
                Dataset.sparse(rows.features(), offsets, Arrays.copyOf(columns, at), Arrays.copyOf(values, at), labels);
        return rows.isWeighted() ? part.withWeights(weights) : part;
    }

    /** Returns the lines of a table that belong to a node, below the header. */
    public static String part(Table table, int node, int nodes) {
        requireNode(table.rows(), node, nodes);
        StringBuilder text = new StringBuilder(table.header()).append('\n');
        int row = 0;
        for (Table.Cursor cursor = table.cursor(); cursor.next(); row++) {
            if (row % nodes == node) {
                text.append(cursor.record()).append('\n');
            }
        }
        return text.toString();
    }

    private static void requireNode(int rows, int node, int nodes) {
        if (nodes < 1 || node < 0 || node >= nodes) {
            throw new InvalidInputException("node " + node + " of " + nodes + " nodes does not exist");
        }
        if (nodes > rows) {
            throw new InvalidInputException(nodes + " nodes for " + rows
                    + " samples; every node needs at least one, so use at most " + rows + " nodes");
        }
    }
}
