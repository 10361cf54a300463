package dev.starling.data;

import java.util.BitSet;
import java.util.List;

/**
 * Hashes that identify rows: of everything in a row, or of its cells in some columns. A row's key is the same on every
 * machine, in either layout, and whatever other rows there are.
 */
public final class RowKeys {

    private static final BitSet NOTHING = new BitSet();
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private RowKeys() {}

    /**
     * The key of a row by its label and its non-zero values, except those that stand in for missing ones, since they
     * are learnt from other rows. The weight does not count.
     */
    public static long ofContent(Dataset data, int row) {
        return data.isKeyed() ? data.key(row) : ofContent(data, row, NOTHING);
    }

    /** The key of a row as if some of its features were zero. */
    public static long ofContent(Dataset data, int row, BitSet ignored) {
        long key = mixed(0, Double.doubleToLongBits(data.label(row) + 0.0));
        int start = data.start(row);
        int end = data.end(row);
        for (int k = start; k < end; k++) {
            double value = data.values().at(k);
            int column = data.isDense() ? k - start : data.columns()[k];
            if (value != 0 && !ignored.get(column)) {
                key = mixed(key, (long) column << Integer.SIZE | Values.word(value));
                key = Values.isExactInFloat(value) ? key : mixed(key, Double.doubleToLongBits(value));
            }
        }
        return key;
    }

    /** The key of a row by some of its cells, exactly as written. */
    public static long ofCells(List<String> cells) {
        long key = 0;
        for (String cell : cells) {
            key = mixed(key, cell);
        }
        return key;
    }

    private static long mixed(long key, String text) {
        long result = mixed(key, text.length());
        for (int k = 0; k < text.length(); k++) {
            result = mixed(result, text.charAt(k));
        }
        return result;
    }

    /** Mixes one more number into a key, as SplitMix64 does: every bit of the input affects every bit of the result. */
    public static long mixed(long key, long number) {
        long bits = (key ^ number * GOLDEN) + GOLDEN;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }
}
