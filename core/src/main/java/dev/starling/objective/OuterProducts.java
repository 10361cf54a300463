package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import java.util.Arrays;

/** Adds up outer products of rows, c·xxᵀ, or of some of their columns, which is what Hessians consist of. */
public final class OuterProducts {

    /** How many dense rows are added at a time: each entry of the matrix is loaded once for all of them. */
    private static final int TOGETHER = 8;

    private final Dataset data;

    /** The columns in use, in ascending order, and for every column its place among them; empty if all are in use. */
    private int[] chosen = {};

    private int[] places = {};
    private int dimension;
    private double[][] together;
    private int[] rowColumns = {};
    private double[] rowValues = {};

    /** Creates an adder for the rows of a dataset. */
    public OuterProducts(Dataset data) {
        this.data = data;
        this.dimension = data.features();
        this.together = data.isDense() ? new double[TOGETHER][dimension] : new double[0][];
    }

    /** Leaves out all columns but these, which are in ascending order. */
    void choose(int[] columns) {
        if (Arrays.equals(chosen, columns)) {
            return;
        }
        chosen = columns;
        dimension = columns.length;
        if (data.isDense()) {
            together = new double[TOGETHER][dimension];
            return;
        }
        places = places.length == 0 ? new int[data.features()] : places;
        Arrays.fill(places, -1);
        for (int k = 0; k < columns.length; k++) {
            places[columns[k]] = k;
        }
    }

    /**
     * Adds the lower triangle of a sum of outer products, row by row, to the numbers at an offset of an array.
     *
     * @param count the number of rows
     * @param scales the factor c of each row; none is negative
     */
    public void add(int count, int[] rows, double[] scales, double[] sums, int at) {
        if (!data.isDense()) {
            for (int k = 0; k < count; k++) {
                if (scales[k] != 0) {
                    addSparse(rows[k], scales[k], sums, at);
                }
            }
            return;
        }
        for (int k = 0; k < count; k += TOGETHER) {
            for (int r = 0; r < TOGETHER; r++) {
                boolean exists = k + r < count;
                load(exists ? rows[k + r] : -1, exists ? Math.sqrt(scales[k + r]) : 0, together[r]);
            }
            addDense(together, dimension, sums, at);
        }
    }

    /** Adds such a sum some of whose factors may be negative. */
    public void addSigned(int count, int[] rows, double[] factors, double[] sums, int at) {
        double[] positive = new double[count];
        double[] negative = new double[count];
        boolean any = false;
        for (int k = 0; k < count; k++) {
            positive[k] = Math.max(factors[k], 0);
            negative[k] = Math.max(-factors[k], 0);
            any |= negative[k] > 0;
        }
        add(count, rows, positive, sums, at);
        if (any) {
            double[] less = new double[dimension * (dimension + 1) / 2];
            add(count, rows, negative, less, 0);
            for (int k = 0; k < less.length; k++) {
                sums[at + k] -= less[k];
            }
        }
    }

    /** Adds only the diagonal of that sum. */
    public void addDiagonal(int count, int[] rows, double[] scales, double[] sums, int at) {
        for (int k = 0; k < count; k++) {
            Values values = data.values(rows[k]);
            for (int i = data.start(rows[k]); i < data.end(rows[k]); i++) {
                int entry = at + data.column(rows[k], i);
                sums[entry] = Math.fma(scales[k] * values.at(i), values.at(i), sums[entry]);
            }
        }
    }

    /**
     * Does the same for vectors that are not rows of a dataset: for {@code count} of them, starting at index
     * {@code first}.
     */
    public static void add(int first, int count, double[][] vectors, double[] scales, double[] sums, int at) {
        int dimensions = vectors[first].length;
        double[][] scaled = new double[TOGETHER][dimensions];
        for (int k = 0; k < count; k += TOGETHER) {
            for (int r = 0; r < TOGETHER; r++) {
                double root = k + r < count ? Math.sqrt(scales[k + r]) : 0;
                double[] vector = vectors[first + Math.min(k + r, count - 1)];
                for (int c = 0; c < dimensions; c++) {
                    scaled[r][c] = root * vector[c];
                }
            }
            addDense(scaled, dimensions, sums, at);
        }
    }

    /** Copies a row times the square root of its scale, or zeros if there is no such row. */
    private void load(int row, double root, double[] into) {
        if (row < 0) {
            Arrays.fill(into, 0);
            return;
        }
        Values values = data.values(row);
        int start = data.start(row);
        for (int c = 0; c < into.length; c++) {
            into[c] = root * values.at(start + (chosen.length == 0 ? c : chosen[c]));
        }
    }

    private static void addDense(double[][] x, int features, double[] matrix, int at) {
        int base = at;
        for (int i = 0; i < features; i++) {
            addRow(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], i, matrix, base);
            base += i + 1;
        }
    }

    /** Adds row i of the sum of eight outer products, up to the diagonal. */
    private static void addRow(
            double[] x0,
            double[] x1,
            double[] x2,
            double[] x3,
            double[] x4,
            double[] x5,
            double[] x6,
            double[] x7,
            int i,
            double[] matrix,
            int base) {
        double a0 = x0[i];
        double a1 = x1[i];
        double a2 = x2[i];
        double a3 = x3[i];
        double a4 = x4[i];
        double a5 = x5[i];
        double a6 = x6[i];
        double a7 = x7[i];
        for (int j = 0; j <= i; j++) {
            double even = Math.fma(a0, x0[j], Math.fma(a2, x2[j], Math.fma(a4, x4[j], a6 * x6[j])));
            double odd = Math.fma(a1, x1[j], Math.fma(a3, x3[j], Math.fma(a5, x5[j], a7 * x7[j])));
            matrix[base + j] += even + odd;
        }
    }

    private void addSparse(int row, double factor, double[] matrix, int at) {
        int[] columns = data.columns(row);
        Values values = data.values(row);
        int start = data.start(row);
        int end = data.end(row);
        if (rowColumns.length < end - start) {
            rowColumns = new int[end - start];
            rowValues = new double[end - start];
        }
        int length = 0;
        for (int k = start; k < end; k++) {
            rowColumns[length] = places.length == 0 ? columns[k] : places[columns[k]];
            rowValues[length] = values.at(k);
            length += rowColumns[length] < 0 ? 0 : 1;
        }
        for (int k = 0; k < length; k++) {
            int column = rowColumns[k];
            addScaled(factor * rowValues[k], rowColumns, rowValues, k + 1, matrix, at + column * (column + 1) / 2);
        }
    }

    private static void addScaled(double scale, int[] columns, double[] values, int count, double[] matrix, int at) {
        for (int l = 0; l < count; l++) {
            matrix[at + columns[l]] = Math.fma(scale, values[l], matrix[at + columns[l]]);
        }
    }
}
