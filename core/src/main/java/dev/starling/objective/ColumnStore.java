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
    private final int[][] rowsOf;
    private final double[][] valuesOf;

    /** Creates a store without columns. */
    public ColumnStore(Dataset data) {
        this.data = data;
        this.rowsOf = new int[data.features()][];
        this.valuesOf = new double[data.features()][];
    }

    /** Returns whether rows are those of this store, perhaps with other labels. */
    public boolean isOf(Dataset rows) {
        return rows.hasValuesOf(data);
    }

    /** Returns columns, in the order asked for. */
    public synchronized Columns columns(int[] asked) {
        int[] missing = Arrays.stream(asked).filter(c -> rowsOf[c] == null).toArray();
        if (missing.length > 0) {
            copy(missing);
        }
        return new Columns(
                Arrays.stream(asked).mapToObj(c -> rowsOf[c]).toArray(int[][]::new),
                Arrays.stream(asked).mapToObj(c -> valuesOf[c]).toArray(double[][]::new));
    }

    private void copy(int[] missing) {
        int[] counts = new int[data.features()];
        Arrays.fill(counts, -1);
        for (int c : missing) {
            counts[c] = 0;
        }
        for (int row = 0; row < data.rows(); row++) {
            for (int k = data.start(row); k < data.end(row); k++) {
                int c = data.column(row, k);
                counts[c] += counts[c] >= 0 && data.value(row, k) != 0 ? 1 : 0;
            }
        }
        for (int c : missing) {
            rowsOf[c] = new int[counts[c]];
            valuesOf[c] = new double[counts[c]];
            counts[c] = 0;
        }
        for (int row = 0; row < data.rows(); row++) {
            for (int k = data.start(row); k < data.end(row); k++) {
                int c = data.column(row, k);
                double value = data.value(row, k);
                if (counts[c] >= 0 && value != 0) {
                    rowsOf[c][counts[c]] = row;
                    valuesOf[c][counts[c]++] = value;
                }
            }
        }
    }
}
