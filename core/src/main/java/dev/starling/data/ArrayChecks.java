package dev.starling.data;

/** What arrays must hold to be rows: those that users hand over are looked through once, by row and value. */
final class ArrayChecks {

    private ArrayChecks() {}

    /** Refuses offsets that do not ascend within the stored values, and columns that do not ascend within a row. */
    static void requireSparse(int features, int[] offsets, int[] columns, Values values) {
        int stored = Math.min(columns.length, values.length());
        if (offsets[0] < 0 || offsets[offsets.length - 1] > stored) {
            throw new InvalidInputException("offsets from " + offsets[0] + " to " + offsets[offsets.length - 1]
                    + "; they must be within the " + stored + " stored values");
        }
        for (int row = 0; row < offsets.length - 1; row++) {
            if (offsets[row + 1] < offsets[row]) {
                throw refused(
                        row,
                        "it ends at " + offsets[row + 1] + ", before its start at " + offsets[row]
                                + "; offsets must ascend");
            }
            int previous = -1;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                if (columns[k] < 0 || columns[k] >= features) {
                    throw refused(row, "column " + columns[k] + " must be between 0 and " + (features - 1));
                }
                if (columns[k] <= previous) {
                    throw refused(row, "column " + columns[k] + " after " + previous + "; columns must ascend");
                }
                previous = columns[k];
                requireFinite(row, columns[k], values.at(k));
            }
        }
    }

    static void requireDense(int features, Values values) {
        for (int k = 0; k < values.length(); k++) {
            requireFinite(k / features, k % features, values.at(k));
        }
    }

    static void requireFinite(double[] perRow, String what) {
        for (int row = 0; row < perRow.length; row++) {
            if (!Double.isFinite(perRow[row])) {
                throw refused(row, what + " " + perRow[row] + " must be finite");
            }
        }
    }

    static void requireFinite(int row, int column, double value) {
        if (!Double.isFinite(value)) {
            throw refused(row, "column " + column + " holds " + value + "; values must be finite");
        }
    }

    private static InvalidInputException refused(int row, String problem) {
        return new InvalidInputException("row " + (row + 1) + ": " + problem);
    }
}
