package dev.starling.recipe;

import dev.starling.data.Dataset;
import dev.starling.data.keys.RowSample;
import dev.starling.table.Table;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result of applying a recipe to a table.
 *
 * @param rows the rows, whose features have names; unknown labels are NaN
 * @param kept for each of them, its index among the table's rows, in ascending order; twice where a row has successes
 *     and failures
 * @param weightless how many of the table's rows have weight 0, and so are left out
 * @param labelled whether all of them have a label that the recipe knows
 * @param ignored columns of the table that the recipe does not use
 */
public record Encoded(Dataset rows, List<Integer> kept, int weightless, boolean labelled, List<String> ignored) {

    /** Copies the lists. */
    public Encoded {
        kept = kept instanceof RowIndices ? kept : List.copyOf(kept);
        ignored = List.copyOf(ignored);
    }

    /** How many of a table's rows are left out because of missing values. */
    public int incomplete(Table table) {
        int different = 0;
        int last = -1;
        for (int row : kept) {
            different += row == last ? 0 : 1;
            last = row;
        }
        return table.rows() - weightless - different;
    }

    /** Says how many of a table's rows are left out, and why. */
    public List<String> leftOut(Table table) {
        return Stream.of(left(incomplete(table), "missing values"), left(weightless, "weight 0"))
                .flatMap(Optional::stream)
                .map(said -> table.source() + ": " + said)
                .toList();
    }

    /** Says that so many rows are left out; nothing for none. */
    public static Optional<String> left(int count, String with) {
        return count == 0
                ? Optional.empty()
                : Optional.of(count + (count == 1 ? " row" : " rows") + " with " + with + (count == 1 ? " is" : " are")
                        + " left out");
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
