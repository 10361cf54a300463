package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowKeys;
import dev.starling.settings.Folds;
import java.util.Arrays;

/**
 * Assigns each row of a node to a fold by a hash of its content, or of its cells in some columns, so that it does not
 * matter which node has the row, or at which position.
 */
final class RowFolds {

    private final NodeRows rows;
    private final int count;
    private final int[] foldOf;

    /** The last argument of {@link #others}, and its result. */
    private int cachedFold = -1;

    private int[] cachedOthers = {};

    /**
     * Assigns a node's rows to folds.
     *
     * @param node this node
     * @param nodes the number of nodes
     * @param seed the seed, which changes the assignment
     */
    RowFolds(Folds folds, NodeRows rows, int node, int nodes, long seed) {
        this.rows = rows;
        this.count = folds.among(nodes);
        this.foldOf = new int[rows.count()];
        if (folds.ofSites()) {
            Arrays.fill(foldOf, node);
            return;
        }
        boolean keyed = rows.keys().length > 0;
        if (keyed == folds.columns().isEmpty()) {
            throw new InvalidInputException(
                    keyed
                            ? "rows have keys, but the folds depend on no column; name the column"
                            : "folds depend on column " + folds.basis()
                                    + ", which these rows do not have; read them from a table that has it");
        }
        Dataset data = rows.data();
        for (int j = 0; j < foldOf.length; j++) {
            int row = rows.row(j);
            long key = keyed ? rows.keys()[row] : RowKeys.ofContent(data, row);
            foldOf[j] = (int) Long.remainderUnsigned(RowKeys.mixed(key, seed), count);
        }
    }

    /** The number of folds. */
    int count() {
        return count;
    }

    /** The fold of a node's j-th row. */
    int of(int j) {
        return foldOf[j];
    }

    /** The indices in the dataset of this node's rows in a fold. */
    int[] heldOut(int fold) {
        return rowsWhere(fold, true);
    }

    /** The indices in the dataset of this node's rows outside a fold. */
    int[] others(int fold) {
        if (cachedFold != fold) {
            cachedOthers = rowsWhere(fold, false);
            cachedFold = fold;
        }
        return cachedOthers;
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

    /** The smallest number of this node's rows that are in any fold, or outside any fold. */
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
