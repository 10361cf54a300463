package dev.starling.data;

import java.util.Arrays;

/** The values of rows in other layouts. */
final class Layouts {

    private Layouts() {}

    /** Sparse rows with all their columns. */
    static Dataset dense(Dataset rows) {
        int features = rows.features();
        float[] all = new float[Math.multiplyExact(rows.rows(), features)];
        for (int i = 0; i < rows.rows(); i++) {
            int base = i * features;
            int end = rows.end(i);
            for (int k = rows.start(i); k < end; k++) {
                all[base + rows.columns()[k]] = rows.values()[k];
            }
        }
        return rows.laidOutAs(true, null, Dataset.NO_COLUMNS, all);
    }

    /** Dense rows without their zeros. */
    static Dataset sparse(Dataset rows) {
        int features = rows.features();
        float[] all = rows.values();
        int[] offsets = new int[rows.rows() + 1];
        int kept = Math.toIntExact(rows.nonZeros());
        int[] columns = new int[kept];
        float[] values = new float[kept];
        int at = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int c = 0; c < features; c++) {
                float value = all[i * features + c];
                if (value != 0f) {
                    columns[at] = c;
                    values[at++] = value;
                }
            }
            offsets[i + 1] = at;
        }
        return rows.laidOutAs(false, offsets, columns, values);
    }

    /** The values of dense rows with more columns, which all hold the same. */
    static float[] widened(Dataset rows, int newFeatures, float fill) {
        int features = rows.features();
        float[] wide = new float[Math.multiplyExact(rows.rows(), newFeatures)];
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(rows.values(), i * features, wide, i * newFeatures, features);
            Arrays.fill(wide, i * newFeatures + features, (i + 1) * newFeatures, fill);
        }
        return wide;
    }
}
