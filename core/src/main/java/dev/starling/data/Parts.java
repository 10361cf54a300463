package dev.starling.data;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * The stored values of rows: in one array or, since an array has less than 2³¹ entries, in several. Whatever is
 * computed from them goes row by row, so that no result depends on where a part ends.
 */
final class Parts implements Serializable {

    private static final long serialVersionUID = 1;

    /** Tests divide even a few rows into parts of about so many values. */
    private static final int ASKED = Integer.getInteger("dev.starling.values-per-part", 0);

    /**
     * How many values a part has before another begins: fewer than an array could hold, since a part exists twice for a
     * moment while rows are assembled.
     */
    static final int MOST_VALUES = ASKED == 0 ? 1 << 28 : ASKED;

    static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private static final int SHIFT = ASKED == 0 ? 6 : 0;

    /** Parts begin at multiples of so many rows. */
    static final int LEAST_ROWS = 1 << SHIFT;

    /** Shifted by this, the numbers of all rows are 0. */
    private static final int WHOLE = Integer.SIZE - 1;

    /**
     * Consecutive rows.
     *
     * @param first the number of the first of them
     * @param next the number of the row after the last of them
     * @param starts where each of them starts, followed by where the last one ends; null if rows are dense
     * @param columns the column of every value; empty if rows are dense
     * @param values the values; there may be room for more
     */
    record Part(int first, int next, int[] starts, int[] columns, Values values) implements Serializable {

        Part after(int rows) {
            return new Part(first + rows, next + rows, starts, columns, values);
        }

        Part with(Values others) {
            return new Part(first, next, starts, columns, others);
        }
    }

    /** How many values are not zero, and the largest without its sign. */
    record Extent(long nonZeros, double largest) {}

    static final Part NONE = new Part(0, 0, null, null, null);

    /** Row r is in the part at r >>> shift; the same part may be at several places, one after another. */
    private final Part[] parts;

    private final int shift;

    /** The parts in their order. */
    final List<Part> inTurn;

    /** What {@link Dataset#nonZeros} or {@link Dataset#largest} has found. */
    transient volatile Extent found;

    /** Creates rows from parts in their order. */
    Parts(List<Part> inTurn) {
        this.inTurn = List.copyOf(inTurn);
        boolean whole = inTurn.size() == 1;
        shift = whole ? WHOLE : SHIFT;
        parts = new Part[whole ? 1 : ((inTurn.get(inTurn.size() - 1).next - 1) >>> SHIFT) + 1];
        for (Part part : inTurn) {
            Arrays.fill(parts, part.first >>> shift, parts.length, part);
        }
    }

    /** The part that a row is in. */
    Part of(int row) {
        return parts[row >>> shift];
    }

    /** Rows in one array. */
    static Parts whole(int rows, int[] starts, int[] columns, Values values) {
        return new Parts(List.of(new Part(0, rows, starts, columns, values)));
    }

    /** Whether tests want even rows in one array divided. */
    static boolean areAsked() {
        return ASKED > 0;
    }

    /** Whether a part may begin at a row. */
    static boolean mayBegin(int row) {
        return row % LEAST_ROWS == 0;
    }

    /** Refuses more values than an array can hold: a few rows have very many columns. */
    static void requireFits(long stored) {
        if (stored > LARGEST_ARRAY) {
            throw new InvalidInputException(tooLong(stored));
        }
    }

    static String tooLong(long stored) {
        return LEAST_ROWS + " rows have " + stored + " values; one place can hold " + LARGEST_ARRAY + " of so few rows";
    }

    /** The same rows with other values. */
    Parts with(UnaryOperator<Values> others) {
        return new Parts(inTurn.stream()
                .map(part -> part.with(others.apply(part.values)))
                .toList());
    }

    /** Room for dense rows. */
    static Parts dense(int rows, int features, boolean floats) {
        return room(rows, row -> features, true, floats);
    }

    /** Room for sparse rows with so many values each. */
    static Parts sparse(int rows, IntUnaryOperator lengths, boolean floats) {
        return room(rows, lengths, false, floats);
    }

    private static Parts room(int rows, IntUnaryOperator lengths, boolean dense, boolean floats) {
        List<Part> made = new ArrayList<>();
        for (int first = 0; first < rows || made.isEmpty(); ) {
            int end = end(first, rows, lengths);
            int[] starts = new int[end - first + 1];
            for (int row = first; row < end; row++) {
                starts[row - first + 1] = starts[row - first] + lengths.applyAsInt(row);
            }
            int stored = starts[end - first];
            made.add(new Part(
                    first,
                    end,
                    dense ? null : starts,
                    dense ? Dataset.NO_COLUMNS : new int[stored],
                    Values.zeros(stored, floats)));
            first = end;
        }
        return new Parts(made);
    }

    /** Where a part ends that begins with a row. */
    private static int end(int first, int rows, IntUnaryOperator lengths) {
        long stored = 0;
        int end = first;
        while (end < rows) {
            int next = (int) Math.min(rows, end + (long) LEAST_ROWS);
            for (int row = end; row < next; row++) {
                stored += lengths.applyAsInt(row);
            }
            if (end > first && stored > MOST_VALUES) {
                return end;
            }
            requireFits(stored);
            end = next;
        }
        return end;
    }
}
