package dev.starling.data;

/**
 * A number for every row by which rows are told apart: a hash of all that a row says. The same on every machine,
 * whatever the layout, and whatever other rows there are.
 */
public final class RowKeys {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private RowKeys() {}

    /** The key of a row by its label and its values that are not zero. Its weight says nothing about it. */
    public static long ofContent(Dataset data, int row) {
        long key = mixed(0, Double.doubleToLongBits(data.label(row) + 0.0));
        int start = data.start(row);
        int end = data.end(row);
        for (int k = start; k < end; k++) {
            float value = data.values()[k];
            if (value != 0f) {
                int column = data.isDense() ? k - start : data.columns()[k];
                key = mixed(key, (long) column << Integer.SIZE | (Float.floatToIntBits(value) & 0xFFFFFFFFL));
            }
        }
        return key;
    }

    /** A key and one more number as one key: SplitMix64's mixing, in which every bit matters to every other. */
    public static long mixed(long key, long number) {
        long bits = (key ^ number * GOLDEN) + GOLDEN;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }
}
