package dev.starling.data;

import java.util.List;

/** Puts the pieces of a file together in order, giving each one up as soon as it is copied. */
final class RowAssembler {

    private static final long LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private RowAssembler() {}

    /**
     * @param pieces the rows in file order; their arrays are given up on the way
     * @param leastFeatures how many columns there are at least
     */
    static Dataset assemble(List<ParsedRows> pieces, int leastFeatures, String file) {
        long rows = 0;
        long stored = 0;
        int features = leastFeatures;
        for (ParsedRows piece : pieces) {
            rows += piece.rows;
            stored += piece.stored;
            features = Math.max(features, piece.largestColumn + 1);
        }
        requireUsable(rows, stored, features, file);
        double[] labels = new double[(int) rows];
        return Dataset.densePays(stored, rows, features)
                ? dense(pieces, features, labels)
                : sparse(pieces, features, (int) stored, labels);
    }

    private static void requireUsable(long rows, long stored, int features, String file) {
        if (rows == 0) {
            throw new InvalidInputException(file + " holds no rows; at least one is needed");
        }
        if (rows > LARGEST_ARRAY || stored > LARGEST_ARRAY) {
            throw new InvalidInputException(file + " holds " + rows + " rows with " + stored
                    + " values; one place can hold " + LARGEST_ARRAY + " values, so split the file over several");
        }
        if (features == 0) {
            throw new InvalidInputException(
                    file + " holds labels only; rows look like '+1 3:0.5 7:1' or are numbers between commas");
        }
    }

    /** One array after another, so that no more than the longest of them is ever there twice. */
    private static Dataset sparse(List<ParsedRows> pieces, int features, int stored, double[] labels) {
        int[] offsets = new int[labels.length + 1];
        int row = 0;
        int at = 0;
        for (ParsedRows piece : pieces) {
            System.arraycopy(piece.labels, 0, labels, row, piece.rows);
            for (int i = 0; i < piece.rows; i++) {
                offsets[++row] = at + piece.ends[i];
            }
            at += piece.stored;
            piece.labels = null;
            piece.ends = null;
        }
        int[] columns = new int[stored];
        at = 0;
        for (ParsedRows piece : pieces) {
            System.arraycopy(piece.columns, 0, columns, at, piece.stored);
            at += piece.stored;
            piece.columns = null;
        }
        float[] values = new float[stored];
        at = 0;
        for (ParsedRows piece : pieces) {
            System.arraycopy(piece.values, 0, values, at, piece.stored);
            at += piece.stored;
            piece.values = null;
        }
        return Dataset.sparse(features, offsets, columns, values, labels);
    }

    private static Dataset dense(List<ParsedRows> pieces, int features, double[] labels) {
        float[] values = new float[labels.length * features];
        int row = 0;
        for (int p = 0; p < pieces.size(); p++) {
            ParsedRows piece = pieces.set(p, null);
            System.arraycopy(piece.labels, 0, labels, row, piece.rows);
            int k = 0;
            for (int i = 0; i < piece.rows; i++) {
                int base = row++ * features;
                for (; k < piece.ends[i]; k++) {
                    values[base + piece.columns[k]] = piece.values[k];
                }
            }
        }
        return Dataset.dense(features, values, labels);
    }
}
