package dev.starling.data.keys;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import dev.starling.data.text.CsvLine;
import java.util.List;

/**
 * Hashes that identify rows: of everything in a row, or of its cells in some columns. A row's key is the same on every
 * machine, in either layout, and whatever other rows there are.
 */
public final class RowKeys {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Shorter decimals are never rounded alike, because a double keeps 15 digits. */
    private static final int LONGEST_NUMBER = 16;

    private RowKeys() {}

    /**
     * The key of a row: that of the cells it was made from if it came from a table, otherwise of its label and its
     * non-zero values. Neither depends on what other rows hold.
     */
    public static long ofContent(Dataset data, int row) {
        return data.isKeyed() ? data.key(row) : ofValues(data, row);
    }

    private static long ofValues(Dataset data, int row) {
        long key = mixed(0, Double.doubleToLongBits(data.label(row) + 0.0));
        int end = data.end(row);
        for (int k = data.start(row); k < end; k++) {
            double value = data.value(row, k);
            int column = data.column(row, k);
            if (value != 0) {
                key = mixed(key, (long) column << Integer.SIZE | Values.word(value));
                key = Values.isExactInFloat(value) ? key : mixed(key, Double.doubleToLongBits(value));
            }
        }
        return key;
    }

    /**
     * Mixes a cell into the key of its row, which is 0 before the first: what it says rather than how it is written, so
     * that 1, 1.0 and "1" are the same. Text with more digits than a double keeps is taken as written.
     */
    public static long ofCell(long key, String cell) {
        double number = cell.length() <= LONGEST_NUMBER ? CsvLine.number(cell) : Double.NaN;
        return Double.isNaN(number) ? mixed(key, cell) : mixed(key, Double.doubleToLongBits(number + 0.0));
    }

    /** The key of a row by some of its cells, as {@link #ofCell} mixes them. */
    public static long ofCells(List<String> cells) {
        long key = 0;
        for (String cell : cells) {
            key = ofCell(key, cell);
        }
        return key;
    }

    /**
     * Mixes a cell that holds a number into the key of its row, as {@link #ofCell} does.
     *
     * @param bytes holds the text of the number, from one position to another
     */
    public static long ofNumber(long key, double number, byte[] bytes, int from, int to) {
        if (to - from <= LONGEST_NUMBER) {
            return mixed(key, Double.doubleToLongBits(number + 0.0));
        }
        long result = mixed(key, to - from);
        for (int k = from; k < to; k++) {
            result = mixed(result, bytes[k]);
        }
        return result;
    }

    /** A sum over all rows of a dataset that identifies them together: sums of several datasets add up. */
    public static long sum(Dataset data) {
        long sum = 0;
        for (int row = 0; row < data.rows(); row++) {
            sum += mixed(ofContent(data, row), 0);
        }
        return sum;
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
