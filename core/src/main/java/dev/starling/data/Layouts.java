package dev.starling.data;

/** Copies of rows in other layouts, and with more or fewer columns. */
final class Layouts {

    private Layouts() {}

    /** Converts sparse rows to dense ones. */
    static Dataset dense(Dataset rows) {
        int features = rows.features();
        Values all = rows.values().zeros(Math.multiplyExact(rows.rows(), features));
        for (int i = 0; i < rows.rows(); i++) {
            int base = i * features;
            int end = rows.end(i);
            for (int k = rows.start(i); k < end; k++) {
                all.set(base + rows.columns()[k], rows.values().at(k));
            }
        }
        return rows.laidOutAs(features, true, null, Dataset.NO_COLUMNS, all);
    }

    /** Converts dense rows to sparse ones, without their zeros. */
    static Dataset sparse(Dataset rows) {
        int features = rows.features();
        Values all = rows.values();
        int[] rowStarts = new int[rows.rows() + 1];
        int kept = Math.toIntExact(rows.nonZeros());
        int[] columns = new int[kept];
        Values values = all.zeros(kept);
        int at = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int c = 0; c < features; c++) {
                double value = all.at(i * features + c);
                if (value != 0) {
                    columns[at] = c;
                    values.set(at++, value);
                }
            }
            rowStarts[i + 1] = at;
        }
        return rows.laidOutAs(features, false, rowStarts, columns, values);
    }

    /** The values of dense rows with additional columns, which all hold the same value. */
    static Values widened(Dataset rows, int newFeatures, double fill) {
        int features = rows.features();
        Values wide = rows.values().zeros(Math.multiplyExact(rows.rows(), newFeatures));
        rows.overRows((from, to) -> {
            for (int i = from; i < to; i++) {
                rows.values().copyTo(i * features, wide, i * newFeatures, features);
                wide.fill(i * newFeatures + features, (i + 1) * newFeatures, fill);
            }
        });
        return wide;
    }

    /** Sparse rows with only the first {@code newFeatures} columns. */
    static Dataset narrowed(Dataset rows, int newFeatures) {
        int[] rowStarts = new int[rows.rows() + 1];
        int[] columns = new int[Math.toIntExact(rows.storedValues())];
        Values values = rows.values().zeros(columns.length);
        int at = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int k = rows.start(i); k < rows.end(i) && rows.columns()[k] < newFeatures; k++) {
                columns[at] = rows.columns()[k];
                values.set(at++, rows.values().at(k));
            }
            rowStarts[i + 1] = at;
        }
        return rows.laidOutAs(newFeatures, false, rowStarts, columns, values);
    }

    /** Sparse rows with one more column, which holds the same value in all of them. */
    static Dataset sparseWithBias(Dataset rows, float bias) {
        int features = rows.features();
        int[] rowStarts = new int[rows.rows() + 1];
        int[] columns = new int[Math.toIntExact(rows.storedValues() + rows.rows())];
        Values values = rows.values().zeros(columns.length);
        int at = 0;
        for (int i = 0; i < rows.rows(); i++) {
            int length = rows.end(i) - rows.start(i);
            System.arraycopy(rows.columns(), rows.start(i), columns, at, length);
            rows.values().copyTo(rows.start(i), values, at, length);
            at += length;
            columns[at] = features;
            values.set(at++, bias);
            rowStarts[i + 1] = at;
        }
        return rows.laidOutAs(features + 1, false, rowStarts, columns, values);
    }
}
