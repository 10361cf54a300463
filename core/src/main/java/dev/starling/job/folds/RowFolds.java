package dev.starling.job.folds;

import dev.starling.cores.Loops;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowKeys;
import dev.starling.job.NodeRows;
import dev.starling.settings.Folds;
import java.util.Arrays;

/**
 * Assigns each row of a node to a fold by a hash of its content, or of its cells in some columns, so that it does not
 * matter which node has the row, or at which position.
 */
public final class RowFolds {

    /** How many rows are looked at at a time. */
    private static final int ROWS = 1 << 14;

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
    public RowFolds(Folds folds, NodeRows rows, int node, int nodes, long seed) {
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
        Loops.overRows(foldOf.length, ROWS, (from, to) -> {
            for (int j = from; j < to; j++) {
                long key = keyed ? rows.keys()[j] : RowKeys.ofContent(data, j);
                foldOf[j] = (int) Long.remainderUnsigned(RowKeys.mixed(key, seed), count);
            }
        });
    }

    /** The number of folds. */
    public int count() {
        return count;
    }

    /** The fold of a node's j-th row. */
    public int of(int j) {
        return foldOf[j];
    }

    /** The indices of this node's rows in a fold. */
    public int[] heldOut(int fold) {
        return rowsWhere(fold, true);
    }

    /** The indices of this node's rows outside a fold. */
    public int[] others(int fold) {
        if (cachedFold != fold) {
            cachedOthers = rowsWhere(fold, false);
            cachedFold = fold;
        }
        return cachedOthers;
    }

    private int[] rowsWhere(int fold, boolean inside) {
        int[] starts = new int[foldOf.length / ROWS + 2];
        Loops.overRows(foldOf.length, ROWS, (from, to) -> {
            int found = 0;
            for (int j = from; j < to; j++) {
                found += (foldOf[j] == fold) == inside ? 1 : 0;
            }
            starts[from / ROWS + 1] = found;
        });
        for (int k = 1; k < starts.length; k++) {
            starts[k] += starts[k - 1];
        }
        int[] some = new int[starts[starts.length - 1]];
        Loops.overRows(foldOf.length, ROWS, (from, to) -> {
            int at = starts[from / ROWS];
            for (int j = from; j < to; j++) {
                if ((foldOf[j] == fold) == inside) {
                    some[at++] = j;
                }
            }
        });
        return some;
    }

    /** The smallest number of this node's rows that are in any fold, or outside any fold. */
    public int fewest() {
        int[] sizes = new int[count];
        for (int fold : foldOf) {
            sizes[fold]++;
        }
        return Math.min(
                Arrays.stream(sizes).min().orElse(0),
                foldOf.length - Arrays.stream(sizes).max().orElse(0));
    }
}
