package dev.starling.data;

import java.util.Arrays;

/** Copies of rows in other layouts, and with more or fewer columns. */
final class Layouts {

    private Layouts() {}

    /** Converts sparse rows to dense ones. */
    static Dataset dense(Dataset rows) {
        int features = rows.features();
        Dataset all = rows.laidOutAs(features, true, Parts.dense(rows.rows(), features, rows.areFloats()));
        for (int i = 0; i < rows.rows(); i++) {
            int base = all.start(i);
            int end = rows.end(i);
            for (int k = rows.start(i); k < end; k++) {
                all.values(i).set(base + rows.column(i, k), rows.value(i, k));
            }
        }
        return all;
    }

    /** Converts dense rows to sparse ones, without their zeros. */
    static Dataset sparse(Dataset rows) {
        int[] lengths = new int[rows.rows()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = (int) rows.values(i).extent(rows.start(i), rows.end(i)).nonZeros();
        }
        Dataset kept = rows.laidOutAs(
                rows.features(), false, Parts.sparse(lengths.length, row -> lengths[row], rows.areFloats()));
        for (int i = 0; i < lengths.length; i++) {
            int at = kept.start(i);
            for (int k = rows.start(i); k < rows.end(i); k++) {
                double value = rows.value(i, k);
                if (value != 0) {
                    kept.columns(i)[at] = rows.column(i, k);
                    kept.values(i).set(at++, value);
                }
            }
        }
        return kept;
    }

    /** Dense rows with additional columns, which all hold the same value. */
    static Dataset widened(Dataset rows, int newFeatures, double fill) {
        Dataset wide = rows.laidOutAs(newFeatures, true, Parts.dense(rows.rows(), newFeatures, rows.areFloats()));
        rows.overRows((from, to) -> {
            for (int i = from; i < to; i++) {
                rows.values(i).copyTo(rows.start(i), wide.values(i), wide.start(i), rows.features());
                wide.values(i).fill(wide.start(i) + rows.features(), wide.end(i), fill);
            }
        });
        return wide;
    }

    /** Sparse rows with only the first {@code newFeatures} columns. */
    static Dataset narrowed(Dataset rows, int newFeatures) {
        int[] lengths = new int[rows.rows()];
        for (int i = 0; i < lengths.length; i++) {
            int length = rows.length(i);
            while (length > 0 && rows.column(i, rows.start(i) + length - 1) >= newFeatures) {
                length--;
            }
            lengths[i] = length;
        }
        return copied(rows, newFeatures, lengths);
    }

    /** Sparse rows with one more column, which holds the same value in all of them. */
    static Dataset sparseWithBias(Dataset rows, float bias) {
        int[] lengths = new int[rows.rows()];
        Arrays.setAll(lengths, i -> rows.length(i) + 1);
        Dataset wide = copied(rows, rows.features() + 1, lengths);
        for (int i = 0; i < lengths.length; i++) {
            int last = wide.end(i) - 1;
            wide.columns(i)[last] = rows.features();
            wide.values(i).set(last, bias);
        }
        return wide;
    }

    /** Copies as many values of sparse rows as there are and as there is room for. */
    private static Dataset copied(Dataset rows, int newFeatures, int[] lengths) {
        Dataset copy =
                rows.laidOutAs(newFeatures, false, Parts.sparse(lengths.length, row -> lengths[row], rows.areFloats()));
        for (int i = 0; i < lengths.length; i++) {
            copy.copy(i, rows, i);
        }
        return copy;
    }
}
