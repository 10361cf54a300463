package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * ‖Xx‖ of rows x, for a lower triangular matrix X, or a little more unless it has to be exact: the products of two
 * values of a row, of which a sparse one has few, times entries of XᵀX cost less than Xx.
 */
final class RowLengths {

    private final Dataset data;
    private final int features;

    /** X column by column, as it is read for rows of which few values are not 0. */
    private final double[] columns;

    /** XᵀX; empty if it is not used. */
    private final double[] products;

    private final double[] image;

    /**
     * Prepares to measure rows.
     *
     * @param matrix X row by row
     * @param exact whether the lengths are asked for as they are
     */
    RowLengths(Dataset data, double[] matrix, int features, boolean exact) {
        this(data, features, columns(matrix, features), products(data, matrix, features, exact));
    }

    private RowLengths(Dataset data, int features, double[] columns, double[] products) {
        this.data = data;
        this.features = features;
        this.columns = columns;
        this.products = products;
        this.image = new double[features];
    }

    /** The same for another thread. */
    RowLengths another() {
        return new RowLengths(data, features, columns, products);
    }

    private static double[] columns(double[] matrix, int d) {
        double[] columns = new double[d * d];
        for (int b = 0; b < d; b++) {
            for (int a = 0; a <= b; a++) {
                columns[a * d + b] = matrix[b * d + a];
            }
        }
        return columns;
    }

    private static double[] products(Dataset data, double[] matrix, int d, boolean exact) {
        // Few rows are measured before the products are known.
        if (exact || data.isDense() || 2 * data.storedValues() < (long) d * d) {
            return new double[0];
        }
        double[] gram = new double[d * d];
        for (int b = 0; b < d; b++) {
            for (int a = 0; a <= b; a++) {
                double entry = matrix[b * d + a];
                for (int c = 0; entry != 0 && c <= a; c++) {
                    gram[a * d + c] = Math.fma(entry, matrix[b * d + c], gram[a * d + c]);
                }
            }
        }
        return gram;
    }

    /** The length of a row's image. */
    double of(int row) {
        int start = data.start(row);
        int end = data.end(row);
        if (products.length == 0 || 4 * (end - start) > features) {
            return ofImage(row);
        }
        int[] columnsOf = data.columns(row);
        Values values = data.values(row);
        double sum = 0;
        double size = 0;
        for (int a = start; a < end; a++) {
            int from = columnsOf[a] * features;
            double value = values.at(a);
            double entries = 0;
            for (int b = start; b < a; b++) {
                entries = Math.fma(values.at(b), products[from + columnsOf[b]], entries);
            }
            double own = products[from + columnsOf[a]];
            sum = Math.fma(value, Math.fma(value, own, 2 * entries), sum);
            size += Math.abs(value) * Math.sqrt(own);
        }
        double more = Rounding.UNIT * (features + 4.0 * (end - start)) * size * size;
        return more < 0x1p-20 * sum ? Math.sqrt(sum + more) : ofImage(row);
    }

    private double ofImage(int row) {
        Arrays.fill(image, 0);
        int start = data.start(row);
        for (int at = start; at < data.end(row); at++) {
            int c = data.column(row, at);
            double value = data.value(row, at);
            int column = c * features;
            for (int b = c; value != 0 && b < features; b++) {
                image[b] = Math.fma(columns[column + b], value, image[b]);
            }
        }
        double squares = 0;
        for (double entry : image) {
            squares += entry * entry;
        }
        return Math.sqrt(squares);
    }
}
