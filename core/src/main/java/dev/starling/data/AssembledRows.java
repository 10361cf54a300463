package dev.starling.data;

import java.util.Arrays;
import java.util.List;

/** Rows that lie one after another in arrays, with room for more. */
sealed interface AssembledRows {

    /** No rows yet, and no room. */
    static AssembledRows none(boolean dense, int features) {
        return dense ? new Dense(features) : new Sparse();
    }

    /** Whether {@link #take} can be asked to add rows. */
    boolean hasRoomFor(RowBuffer piece);

    /** Adds rows for which there is room; their arrays can be used for others afterwards. */
    void take(RowBuffer piece);

    /** Makes room for this many rows and values in all, then adds rows and gives up their arrays. */
    void join(List<RowBuffer> pieces, int allRows, int allValues);

    /** Whether rows are laid out like that. */
    boolean suits(boolean dense, int features);

    /** The rows as a piece, to be put together in another layout; this is given up. */
    RowBuffer asPiece();

    /** The rows in the end; this is given up. */
    Dataset dataset(int features);

    /** Rows with columns. */
    final class Sparse implements AssembledRows {
        private final RowBuffer all = new RowBuffer(0, 0);

        @Override
        public boolean hasRoomFor(RowBuffer piece) {
            return piece.rows <= all.labels.length - all.rows && piece.stored <= all.values.length - all.stored;
        }

        @Override
        public void take(RowBuffer piece) {
            takeRows(piece);
            System.arraycopy(piece.columns, 0, all.columns, all.stored, piece.stored);
            System.arraycopy(piece.values, 0, all.values, all.stored, piece.stored);
            all.stored += piece.stored;
        }

        private void takeRows(RowBuffer piece) {
            System.arraycopy(piece.labels, 0, all.labels, all.rows, piece.rows);
            int[] offsets = all.offsets;
            int before = offsets[all.rows];
            for (int i = 1; i <= piece.rows; i++) {
                offsets[all.rows + i] = before + piece.offsets[i];
            }
            all.rows += piece.rows;
        }

        /** One array after another, the longest first, so that no more than one of them is ever there twice. */
        @Override
        public void join(List<RowBuffer> pieces, int allRows, int allValues) {
            if (all.columns.length < allValues) {
                all.columns = Arrays.copyOf(all.columns, allValues);
            }
            int at = all.stored;
            for (RowBuffer piece : pieces) {
                System.arraycopy(piece.columns, 0, all.columns, at, piece.stored);
                at += piece.stored;
                piece.columns = null;
            }
            if (all.values.length < allValues) {
                all.values = Arrays.copyOf(all.values, allValues);
            }
            for (RowBuffer piece : pieces) {
                System.arraycopy(piece.values, 0, all.values, all.stored, piece.stored);
                all.stored += piece.stored;
                piece.values = null;
            }
            if (all.labels.length < allRows) {
                all.labels = Arrays.copyOf(all.labels, allRows);
                all.offsets = Arrays.copyOf(all.offsets, allRows + 1);
            }
            for (RowBuffer piece : pieces) {
                takeRows(piece);
                piece.labels = null;
                piece.offsets = null;
            }
        }

        @Override
        public boolean suits(boolean dense, int features) {
            return !dense;
        }

        @Override
        public RowBuffer asPiece() {
            return all;
        }

        @Override
        public Dataset dataset(int features) {
            return all.toDataset(features);
        }
    }

    /** Rows with a value for every column. */
    final class Dense implements AssembledRows {
        private final int features;
        private double[] labels = {};
        private float[] values = {};
        private int rows;
        private int nonZeros;

        Dense(int features) {
            this.features = features;
        }

        @Override
        public boolean hasRoomFor(RowBuffer piece) {
            return piece.largestColumn < features
                    && piece.rows <= Math.min(labels.length, values.length / features) - rows;
        }

        @Override
        public void take(RowBuffer piece) {
            System.arraycopy(piece.labels, 0, labels, rows, piece.rows);
            for (int i = 0; i < piece.rows; i++) {
                spread(piece.columns, piece.values, piece.offsets[i], piece.offsets[i + 1], values, rows++ * features);
            }
            nonZeros += piece.stored;
        }

        private static void spread(int[] columns, float[] from, int start, int end, float[] to, int base) {
            for (int k = start; k < end; k++) {
                to[base + columns[k]] = from[k];
            }
        }

        @Override
        public void join(List<RowBuffer> pieces, int allRows, int allValues) {
            if (labels.length < allRows) {
                labels = Arrays.copyOf(labels, allRows);
            }
            if (values.length < allValues) {
                values = Arrays.copyOf(values, allValues);
            }
            for (int p = 0; p < pieces.size(); p++) {
                take(pieces.set(p, null));
            }
        }

        @Override
        public boolean suits(boolean dense, int allFeatures) {
            return dense && features == allFeatures;
        }

        @Override
        public RowBuffer asPiece() {
            RowBuffer piece = new RowBuffer(rows, nonZeros);
            for (int i = 0; i < rows; i++) {
                for (int c = 0; c < features; c++) {
                    float value = values[i * features + c];
                    if (value != 0f) {
                        piece.add(c, value);
                    }
                }
                piece.endRow(labels[i]);
            }
            return piece;
        }

        @Override
        public Dataset dataset(int allFeatures) {
            labels = Arrays.copyOf(labels, rows);
            if (RowBuffer.isWasteful(values.length, rows * features)) {
                values = Arrays.copyOf(values, rows * features);
            }
            return new Dataset(features, true, null, Dataset.NO_COLUMNS, values, labels, null, null, null, List.of());
        }
    }
}
