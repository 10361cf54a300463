package dev.starling.peer.setup;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.table.Table;

/** Distributes the rows of one dataset among sites, exactly as training on one machine distributes them among nodes. */
public final class RowSplit {

    private RowSplit() {}

    /** Returns the rows of a node: every {@code nodes}-th row, starting with row {@code node}, counted from 0. */
    public static Dataset part(Dataset rows, int node, int nodes) {
        requireNode(rows.rows(), node, nodes);
        return rows.dealt(node, nodes);
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
