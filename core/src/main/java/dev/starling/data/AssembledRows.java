package dev.starling.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Rows stored one after another in arrays that have room for more. */
sealed interface AssembledRows {

    /**
     * Starts with no rows and no room for any.
     *
     * @param values how many values are expected
     * @param most how many of them are in one part, if there are more
     */
    static AssembledRows none(boolean dense, int features, double values, int most) {
        return values > most ? new Parted(dense, features, most) : none(dense, features);
    }

    private static AssembledRows none(boolean dense, int features) {
        return dense ? new Dense(features) : new Sparse();
    }

    /** Whether there is room for these rows, so that {@link #take} may be called. */
    boolean hasRoomFor(RowBuffer piece);

    /** Copies rows for which there is room; the piece's arrays can be reused afterwards. */
    void take(RowBuffer piece);

    /** Makes room for this many rows and values in total, then copies the pieces and releases their arrays. */
    void join(List<RowBuffer> pieces, int allRows, long allValues);

    /** Whether the rows are stored in this layout, and so many values can be. */
    boolean suits(boolean dense, int features, long values);

    /** Returns the rows as pieces, to be assembled in another layout; this object must not be used afterwards. */
    Stream<RowBuffer> asPieces();

    /** Returns all rows as a dataset; this object must not be used afterwards. */
    Dataset dataset(int features);

    /** Values with room for this many, as doubles if any piece has doubles. */
    private static Values withRoom(Values values, List<RowBuffer> pieces, long allValues) {
        boolean held = pieces.stream().allMatch(piece -> values.canHold(piece.values));
        Values kept = held ? values : values.widened();
        return kept.length() < allValues ? kept.resized((int) allValues) : kept;
    }

    /** Sparse rows: every stored value comes with its column. */
    final class Sparse implements AssembledRows {
        private final RowBuffer all = new RowBuffer(0, 0);

        @Override
        public boolean hasRoomFor(RowBuffer piece) {
            return piece.rows <= all.labels.length - all.rows
                    && piece.stored <= all.values.length() - all.stored
                    && all.values.canHold(piece.values);
        }

        @Override
        public void take(RowBuffer piece) {
            takeRows(piece);
            System.arraycopy(piece.columns, 0, all.columns, all.stored, piece.stored);
            piece.values.copyTo(0, all.values, all.stored, piece.stored);
            all.stored += piece.stored;
        }

        private void takeRows(RowBuffer piece) {
            System.arraycopy(piece.labels, 0, all.labels, all.rows, piece.rows);
            int[] rowStarts = all.rowStarts;
            int before = rowStarts[all.rows];
            for (int i = 1; i <= piece.rows; i++) {
                rowStarts[all.rows + i] = before + piece.rowStarts[i];
            }
            all.rows += piece.rows;
        }

        /** Copies one array at a time, the longest first, so that at most one of them exists twice at any moment. */
        @Override
        public void join(List<RowBuffer> pieces, int allRows, long allValues) {
            if (all.columns.length < allValues) {
                all.columns = Arrays.copyOf(all.columns, (int) allValues);
            }
            int at = all.stored;
            for (RowBuffer piece : pieces) {
                System.arraycopy(piece.columns, 0, all.columns, at, piece.stored);
                at += piece.stored;
                piece.columns = null;
            }
            all.values = withRoom(all.values, pieces, allValues);
            for (RowBuffer piece : pieces) {
                piece.values.copyTo(0, all.values, all.stored, piece.stored);
                all.stored += piece.stored;
                piece.values = null;
            }
            if (all.labels.length < allRows) {
                all.labels = Arrays.copyOf(all.labels, allRows);
                all.rowStarts = Arrays.copyOf(all.rowStarts, allRows + 1);
            }
            for (RowBuffer piece : pieces) {
                takeRows(piece);
                piece.labels = null;
                piece.rowStarts = null;
            }
        }

        @Override
        public boolean suits(boolean dense, int features, long values) {
            return !dense && values <= Parts.LARGEST_ARRAY;
        }

        @Override
        public Stream<RowBuffer> asPieces() {
            return Stream.of(all);
        }

        @Override
        public Dataset dataset(int features) {
            return all.toDataset(features);
        }
    }

    /** Dense rows: a value for every column. */
    final class Dense implements AssembledRows {
        private final int features;
        private double[] labels = {};
        private Values values = Values.zeros(0, true);
        private int rows;

        Dense(int features) {
            this.features = features;
        }

        @Override
        public boolean hasRoomFor(RowBuffer piece) {
            return piece.largestColumn < features
                    && piece.rows <= Math.min(labels.length, values.length() / features) - rows
                    && values.canHold(piece.values);
        }

        @Override
        public void take(RowBuffer piece) {
            System.arraycopy(piece.labels, 0, labels, rows, piece.rows);
            for (int i = 0; i < piece.rows; i++) {
                spread(
                        piece.columns,
                        piece.values,
                        piece.rowStarts[i],
                        piece.rowStarts[i + 1],
                        values,
                        rows++ * features);
            }
        }

        private static void spread(int[] columns, Values from, int start, int end, Values to, int base) {
            for (int k = start; k < end; k++) {
                to.set(base + columns[k], from.at(k));
            }
        }

        @Override
        public void join(List<RowBuffer> pieces, int allRows, long allValues) {
            if (labels.length < allRows) {
                labels = Arrays.copyOf(labels, allRows);
            }
            values = withRoom(values, pieces, allValues);
            for (int p = 0; p < pieces.size(); p++) {
                take(pieces.set(p, null));
            }
        }

        @Override
        public boolean suits(boolean dense, int allFeatures, long values) {
            return dense && features == allFeatures && values <= Parts.LARGEST_ARRAY;
        }

        @Override
        public Stream<RowBuffer> asPieces() {
            RowBuffer piece = ParsedRows.ofText(0, false);
            for (int i = 0; i < rows; i++) {
                for (int c = 0; c < features; c++) {
                    double value = values.at(i * features + c);
                    if (value != 0) {
                        piece.add(c, value);
                    }
                }
                piece.endRow(labels[i]);
            }
            return Stream.of(piece);
        }

        @Override
        public Dataset dataset(int allFeatures) {
            labels = Arrays.copyOf(labels, rows);
            if (RowBuffer.isWasteful(values.length(), rows * features)) {
                values = values.resized(rows * features);
            }
            return Dataset.unchecked(features, values, labels);
        }
    }

    /** Rows in parts, each of which is assembled by itself. */
    final class Parted implements AssembledRows {
        private final boolean dense;
        private final int features;
        private final int most;
        private final List<Dataset> parts = new ArrayList<>();
        private AssembledRows last;
        private int rows;
        /** How many rows and values the last part has. */
        private int ownRows;

        private long stored;

        Parted(boolean dense, int features, int most) {
            this.dense = dense;
            this.features = features;
            this.most = most;
            this.last = none(dense, features);
        }

        @Override
        public boolean hasRoomFor(RowBuffer piece) {
            return !dense || piece.largestColumn < features;
        }

        @Override
        public void take(RowBuffer piece) {
            int from = 0;
            for (int to = 0; to < piece.rows; to++) {
                if (stored + values(piece, from, to) >= most && Parts.mayBegin(rows + to - from)) {
                    append(piece.cut(from, to));
                    close();
                    from = to;
                }
            }
            append(from == 0 ? piece : piece.cut(from, piece.rows));
        }

        private long values(RowBuffer piece, int from, int to) {
            return dense ? (to - from) * (long) features : piece.rowStarts[to] - piece.rowStarts[from];
        }

        private void append(RowBuffer piece) {
            rows += piece.rows;
            ownRows += piece.rows;
            stored += values(piece, 0, piece.rows);
            Parts.requireFits(stored);
            if (last.hasRoomFor(piece)) {
                last.take(piece);
                return;
            }
            double growth = Math.min(1.5, Math.max(1, 1.02 * most / Math.max(1, stored)));
            int room = (int) Math.max(
                    growth * ownRows, parts.isEmpty() ? 0 : parts.get(0).rows());
            long values = (long)
                    Math.max(growth * stored, parts.isEmpty() ? 0 : parts.get(0).storedValues());
            last.join(new ArrayList<>(List.of(piece.cut(0, piece.rows))), room, values);
        }

        private void close() {
            parts.add(last.dataset(features));
            last = none(dense, features);
            ownRows = 0;
            stored = 0;
        }

        @Override
        public void join(List<RowBuffer> pieces, int allRows, long allValues) {
            for (int p = 0; p < pieces.size(); p++) {
                take(pieces.set(p, null));
            }
        }

        @Override
        public boolean suits(boolean asDense, int allFeatures, long values) {
            return dense == asDense && (!dense || features == allFeatures);
        }

        @Override
        public Stream<RowBuffer> asPieces() {
            close();
            return parts.stream().map(part -> {
                RowBuffer piece = ParsedRows.ofText(0, false);
                piece.addAll(part);
                return piece;
            });
        }

        @Override
        public Dataset dataset(int allFeatures) {
            if (ownRows > 0) {
                close();
            }
            return Dataset.joined(allFeatures, parts);
        }
    }
}
