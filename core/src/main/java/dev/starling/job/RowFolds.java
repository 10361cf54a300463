package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowKeys;
import java.util.Arrays;

/**
 * Which fold each row of a node is in: a hash of what the row says, or of its cells in some columns, decides, so that
 * it does not matter which node has the row, nor where.
 */
final class RowFolds {

    private final NodeRows rows;
    private final int count;
    private final int[] foldOf;

    /** The fold that was last asked for, and the rows outside of it. */
    private int present = -1;

    private int[] others = {};

    /**
     * The folds of a node's rows.
     *
     * @param node this node
     * @param nodes how many there are
     * @param seed another one gives other folds
     */
    RowFolds(Folds folds, NodeRows rows, int node, int nodes, long seed) {
        this.rows = rows;
        this.count = folds.among(nodes);
        this.foldOf = new int[rows.count()];
        if (folds.sites()) {
            Arrays.fill(foldOf, node);
            return;
        }
        boolean keyed = rows.keys().length > 0;
        if (keyed == folds.columns().isEmpty()) {
            throw new InvalidInputException(
                    keyed
                            ? "rows have keys, but folds go by no column; name the column"
                            : "folds go by column " + folds.columnsText()
                                    + ", which these rows come without; read them from a table that has it");
        }
        Dataset data = rows.data();
        for (int j = 0; j < foldOf.length; j++) {
            int row = rows.row(j);
            long key = keyed ? rows.keys()[row] : RowKeys.ofContent(data, row);
            foldOf[j] = (int) Long.remainderUnsigned(RowKeys.mixed(key, seed), count);
        }
    }

    /** How many folds there are. */
    int count() {
        return count;
    }

    /** The fold of a node's j-th row. */
    int of(int j) {
        return foldOf[j];
    }

    /** The rows of the dataset that this node has in a fold. */
    int[] heldOut(int fold) {
        return rowsWhere(fold, true);
    }

    /** All others that it has. */
    int[] others(int fold) {
        if (present != fold) {
            others = rowsWhere(fold, false);
            present = fold;
        }
        return others;
    }

    private int[] rowsWhere(int fold, boolean inside) {
        int[] some = new int[foldOf.length];
        int found = 0;
        for (int j = 0; j < foldOf.length; j++) {
            some[found] = rows.row(j);
            found += (foldOf[j] == fold) == inside ? 1 : 0;
        }
        return Arrays.copyOf(some, found);
    }

    /** The fewest of this node's rows that are in any fold, or in all but one. */
    int fewest() {
        int[] sizes = new int[count];
        for (int fold : foldOf) {
            sizes[fold]++;
        }
        return Math.min(
                Arrays.stream(sizes).min().orElse(0),
                foldOf.length - Arrays.stream(sizes).max().orElse(0));
    }
}
