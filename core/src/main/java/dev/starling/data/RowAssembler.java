package dev.starling.data;

import java.util.ArrayList;
import java.util.List;

/**
 * Puts the pieces of a file together in order. Once a first part is there, it estimates what the whole file holds,
 * makes room for that, and gives up each further piece as soon as it is copied: rows exist once. Pieces wait for the
 * end where the size of the file is unknown, and so do those for which the estimate left no room.
 */
final class RowAssembler {

    private static final long LARGEST_ARRAY = Integer.MAX_VALUE - 8;
    /** The part of a file that is seen before the estimate, within limits: only its rows are ever there twice. */
    private static final int FIRST_PART = 16;

    private static final long SMALLEST_FIRST_PART = 1 << 20;
    private static final long LARGEST_FIRST_PART = 1 << 26;
    /** A first part of shuffled rows tells the number of values to within half a percent, that of rows less well. */
    private static final double SPARE_VALUES = 1.0 / 64;

    private static final double SPARE_ROWS = 1.0 / 8;

    private final String file;
    private final long size;
    private final long firstPart;
    private final List<RowBuffer> waiting = new ArrayList<>();
    private AssembledRows assembled;
    private long rows;
    private long stored;
    private int features;

    /**
     * @param size of the file in bytes, packed if it is packed; −1 where unknown
     * @param leastFeatures how many columns there are at least
     */
    RowAssembler(String file, long size, int leastFeatures) {
        this.file = file;
        this.size = size;
        this.firstPart = Math.min(Math.max(size / FIRST_PART, SMALLEST_FIRST_PART), LARGEST_FIRST_PART);
        this.features = leastFeatures;
    }

    /**
     * Adds the next rows of the file.
     *
     * @param bytes how much of the file was read when they were
     * @return whether they were copied, so that their arrays can be used for others
     */
    boolean add(RowBuffer piece, long bytes) {
        rows += piece.rows;
        stored += piece.stored;
        features = Math.max(features, piece.largestColumn + 1);
        if (assembled != null && waiting.isEmpty() && assembled.hasRoomFor(piece)) {
            assembled.take(piece);
            return true;
        }
        waiting.add(piece);
        if (assembled == null && bytes >= firstPart && bytes < size && rows > 0) {
            makeRoom((double) size / bytes);
        }
        return false;
    }

    /** Makes room for this many times what has been read. Where that is too much for arrays, pieces wait. */
    private void makeRoom(double times) {
        double allRows = rows * times;
        boolean dense = Dataset.densePays((long) (stored * times), (long) allRows, features);
        double room = (1 + SPARE_VALUES) * times * (dense ? (double) rows * features : stored);
        double roomForRows = (1 + SPARE_ROWS) * allRows;
        if (roomForRows < LARGEST_ARRAY && room < LARGEST_ARRAY) {
            assembled = AssembledRows.none(dense, features);
            assembled.join(waiting, (int) roomForRows, (int) room);
            waiting.clear();
        }
    }

    /** All rows that were added, in the layout that {@link Dataset#densePays} asks for. */
    Dataset finish() {
        requireUsable();
        boolean dense = Dataset.densePays(stored, rows, features);
        if (assembled != null && !assembled.suits(dense, features)) {
            waiting.add(0, assembled.asPiece());
            assembled = null;
        }
        if (assembled == null) {
            assembled = AssembledRows.none(dense, features);
        }
        assembled.join(waiting, (int) rows, (int) (dense ? rows * features : stored));
        return assembled.dataset(features);
    }

    private void requireUsable() {
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
}
