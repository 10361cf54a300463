package dev.starling.recipe;

import dev.starling.data.Dataset;
import dev.starling.data.RowSample;
import java.util.BitSet;
import java.util.List;

/**
 * The result of applying a recipe to a table.
 *
 * @param rows the rows, whose features have names; unknown labels are NaN
 * @param kept for each of them, its index among the table's rows
 * @param labelled whether all of them have a label that the recipe knows
 * @param ignored columns of the table that the recipe does not use
 */
public record Encoded(Dataset rows, List<Integer> kept, boolean labelled, List<String> ignored) {

    /** Copies the lists. */
    public Encoded {
        kept = List.copyOf(kept);
        ignored = List.copyOf(ignored);
    }

    /** Which of the table's rows are in a sample. */
    public BitSet in(RowSample sample) {
        BitSet found = new BitSet();
        for (int row = 0; row < kept.size(); row++) {
            if (sample.has(rows, row)) {
                found.set(kept.get(row));
            }
        }
        return found;
    }
}
