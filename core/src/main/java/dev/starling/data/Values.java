package dev.starling.data;

import dev.starling.data.Parts.Extent;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The stored values of rows: floats if every one of them is exact in a float, which takes half the memory, and doubles
 * otherwise. Arithmetic on them is in double either way. To others immutable; whoever makes rows may still write.
 *
 * <p>In a loop, the JIT decides once which of the two arrays is read, not for every value.
 */
public final class Values implements Serializable {

    private static final long serialVersionUID = 1;

    /** No values. */
    public static final Values NONE = of(new float[0]);

    /** Some dense rows that are in one array at a time: those asked for last, if all of them are not. */
    public static final class Window {

        private final Dataset rows;
        private final int most;
        private final Values values;
        private int next;

        /** @param most how many rows are used at a time, at least */
        public Window(Dataset rows, int most) {
            this.rows = rows;
            this.most = most;
            this.values = rows.isInOnePart() ? rows.values(0) : Values.zeros(most * rows.features(), rows.areFloats());
        }

        /** The array. */
        public Values values() {
            return values;
        }

        /** Where a row starts in it. */
        public int start(int row) {
            int start = rows.start(row);
            if (rows.values(row) == values) {
                return start;
            }
            int at = next * rows.features();
            rows.values(row).copyTo(start, values, at, rows.features());
            next = (next + 1) % most;
            return at;
        }
    }

    private static final int FIRST_LOOK = 4096;

    private final float[] singles;
    private final double[] doubles;

    private Values(float[] singles, double[] doubles) {
        this.singles = singles;
        this.doubles = doubles;
    }

    /** Values that are floats. The array is not copied: do not write to it afterwards. */
    static Values of(float[] values) {
        return new Values(values, null);
    }

    /** Values that are doubles, even if floats could hold them. The array is not copied. */
    static Values of(double[] values) {
        return new Values(null, values);
    }

    /** The same numbers as floats if all of them are exact in floats, otherwise as doubles, not copied. */
    static Values compact(double[] values) {
        // Where some are not, one of the first mostly is not, and no array need be made in vain.
        if (!areSingles(values, Math.min(values.length, FIRST_LOOK))) {
            return of(values);
        }
        float[] singles = new float[values.length];
        for (int k = 0; k < values.length; k++) {
            singles[k] = (float) values[k];
            if (singles[k] != values[k]) {
                return of(values);
            }
        }
        return of(singles);
    }

    private static boolean areSingles(double[] values, int count) {
        for (int k = 0; k < count; k++) {
            if ((float) values[k] != values[k]) {
                return false;
            }
        }
        return true;
    }

    /** Zeros to be overwritten. */
    static Values zeros(int length, boolean floats) {
        return floats ? of(new float[length]) : of(new double[length]);
    }

    /** Zeros of the same kind as these. */
    Values zeros(int length) {
        return zeros(length, areFloats());
    }

    /** Whether a number survives being kept as a float. */
    public static boolean isExactInFloat(double value) {
        return (float) value == value;
    }

    /**
     * The bits of a number as a float if it is exact in one, otherwise a word that no finite number has: its double
     * must follow.
     */
    public static long word(double value) {
        return Integer.toUnsignedLong(Float.floatToIntBits(isExactInFloat(value) ? (float) value : Float.NaN));
    }

    /** The value at a position. */
    public double at(int position) {
        return doubles == null ? singles[position] : doubles[position];
    }

    /** Whether all values are kept as floats, without loss. */
    public boolean areFloats() {
        return doubles == null;
    }

    /** How many values there is room for; there may be more than the rows need. */
    public int length() {
        return doubles == null ? singles.length : doubles.length;
    }

    /** A copy of all values. */
    public double[] toArray() {
        return toArray(0, length());
    }

    /** A copy of the values from one position to before another. */
    public double[] toArray(int from, int to) {
        double[] copy = new double[to - from];
        copyTo(from, copy, 0, copy.length);
        return copy;
    }

    /** Copies values to an array. */
    public void copyTo(int from, double[] to, int at, int length) {
        for (int k = 0; k < length; k++) {
            to[at + k] = at(from + k);
        }
    }

    /** Writes a value, which must be exact in a float if these are floats. */
    void set(int position, double value) {
        if (doubles == null) {
            singles[position] = (float) value;
        } else {
            doubles[position] = value;
        }
    }

    void fill(int from, int to, double value) {
        if (doubles == null) {
            Arrays.fill(singles, from, to, (float) value);
        } else {
            Arrays.fill(doubles, from, to, value);
        }
    }

    /** Copies values to others, which must be doubles if these are. */
    void copyTo(int from, Values to, int at, int length) {
        if (doubles == null && to.doubles == null) {
            System.arraycopy(singles, from, to.singles, at, length);
        } else if (doubles == null) {
            for (int k = 0; k < length; k++) {
                to.doubles[at + k] = singles[from + k];
            }
        } else {
            System.arraycopy(doubles, from, to.doubles, at, length);
        }
    }

    /** Whether other values can be copied here without loss. */
    boolean canHold(Values others) {
        return doubles != null || others.areFloats();
    }

    /** A copy of the first values, in arrays of another length. */
    public Values resized(int length) {
        return doubles == null ? of(Arrays.copyOf(singles, length)) : of(Arrays.copyOf(doubles, length));
    }

    /**
     * The same values rounded to floats.
     *
     * @throws InvalidInputException if one is too large for a float
     */
    Values rounded() {
        if (doubles == null) {
            return this;
        }
        float[] rounded = new float[doubles.length];
        for (int k = 0; k < rounded.length; k++) {
            rounded[k] = (float) doubles[k];
            if (Float.isInfinite(rounded[k])) {
                throw new InvalidInputException(
                        "the value " + doubles[k] + " is too large for a float; keep values exact");
            }
        }
        return of(rounded);
    }

    /** The same values as doubles. */
    Values widened() {
        if (doubles != null) {
            return this;
        }
        Values wide = zeros(singles.length, false);
        copyTo(0, wide, 0, singles.length);
        return wide;
    }

    /** How many of the values from one position to before another are not zero, and the largest without its sign. */
    Extent extent(int from, int to) {
        long count = 0;
        double largest = 0;
        for (int k = from; k < to; k++) {
            double value = Math.abs(at(k));
            count += value != 0 ? 1 : 0;
            // Math.max takes care of numbers that are none, which costs several times as much.
            largest = value > largest ? value : largest;
        }
        return new Extent(count, largest);
    }
}
