package dev.starling.objective;

import dev.starling.data.Dataset;
import java.util.Arrays;

/**
 * Copies of some columns of a node's rows, which are stored row by row. A column is copied when it is first asked for
 * and kept; which columns are there changes no result.
 */
public final class ColumnStore {

    /**
     * Some columns.
     *
     * @param rows the rows of each column's values, in ascending order
     * @param values the values
     */
    public record Columns(int[][] rows, double[][] values) {}

    private final Dataset data;
    private final int[][] rows;
    private final double[][] values;

    /** Creates a store without columns. */
    public ColumnStore(Dataset data) {
        this.data = data;
        this.rows = new int[data.features()][];
        this.values = new double[data.features()][];
    }

    /** Returns columns, in the order asked for. */
    public synchronized Columns columns(int[] asked) {
        int[] missing = Arrays.stream(asked).filter(c -> rows[c] == null).toArray();
        if (missing.length > 0) {
            copy(missing);
        }
        return new Columns(
                Arrays.stream(asked).mapToObj(c -> rows[c]).toArray(int[][]::new),
                Arrays.stream(asked).mapToObj(c -> values[c]).toArray(double[][]::new));
    }

    private void copy(int[] missing) {
        int[] counts = new int[data.features()];
        Arrays.fill(counts, -1);
        for (int c : missing) {
            counts[c] = 0;
        }
        for (int row = 0; row < data.rows(); row++) {
            for (int k = data.start(row); k < data.end(row); k++) {
                int c = column(row, k);
                counts[c] += counts[c] >= 0 && data.values().at(k) != 0 ? 1 : 0;
            }
        }
        for (int c : missing) {
            rows[c] = new int[counts[c]];
            values[c] = new double[counts[c]];
            counts[c] = 0;
        }
        for (int row = 0; row < data.rows(); row++) {
            for (int k = data.start(row); k < data.end(row); k++) {
                int c = column(row, k);
                double value = data.values().at(k);
                if (counts[c] >= 0 && value != 0) {
                    rows[c][counts[c]] = row;
                    values[c][counts[c]++] = value;
                }
            }
        }
    }

    private int column(int row, int position) {
        return data.isDense() ? position - data.start(row) : data.columns()[position];
    }
}
