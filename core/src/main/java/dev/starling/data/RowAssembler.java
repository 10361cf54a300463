package dev.starling.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Assembles the pieces of a file in order. After a first part of the file it estimates how much the whole file holds,
 * makes room for that, and releases each further piece as soon as it is copied, so that rows exist only once. If the
 * size of the file is unknown, or the estimate was too low, pieces are kept until the end.
 */
final class RowAssembler {

    private static final long MOST_ROWS = Parts.LARGEST_ARRAY;
    /**
     * The estimate is made after a sixteenth of the file, within limits: only the rows of that part ever exist twice.
     */
    private static final int FIRST_PART = 16;

    private static final long SMALLEST_FIRST_PART = 1 << 20;
    private static final long LARGEST_FIRST_PART = 1 << 26;
    /**
     * If rows are shuffled, the first part predicts the number of values to within half a percent, and that of rows
     * less well.
     */
    private static final double SPARE_VALUES = 1.0 / 64;

    private static final double SPARE_ROWS = 1.0 / 8;

    private final String file;
    private final long size;
    private final long firstPart;
    private final boolean inFloats;
    private final boolean exactKeys;
    private final int mostValues;
    private final List<RowBuffer> waiting = new ArrayList<>();
    private AssembledRows assembled;
    private long rows;
    private long stored;
    private int features;
    private long[] keys = {};

    /** Creates an assembler without rows. */
    RowAssembler(String file, long size, int leastFeatures, boolean inFloats, boolean exactKeys) {
        this(file, size, leastFeatures, inFloats, exactKeys, Parts.MOST_VALUES);
    }

    /**
     * @param size size of the file in bytes, as it is on disk; −1 if unknown
     * @param leastFeatures the least number of columns
     * @param inFloats whether values are rounded to floats
     * @param exactKeys whether rows then keep the keys of what they were
     * @param mostValues how many values are in one part
     */
    RowAssembler(String file, long size, int leastFeatures, boolean inFloats, boolean exactKeys, int mostValues) {
        this.file = file;
        this.size = size;
        this.firstPart = Math.min(Math.max(size / FIRST_PART, SMALLEST_FIRST_PART), LARGEST_FIRST_PART);
        this.features = leastFeatures;
        this.inFloats = inFloats;
        this.exactKeys = exactKeys;
        this.mostValues = mostValues;
    }

    /**
     * Adds the next rows of the file.
     *
     * @param bytes how many bytes of the file had been read by then
     * @return whether they were copied, so that their arrays can be reused
     */
    boolean add(RowBuffer piece, long bytes) {
        if (inFloats) {
            if (exactKeys) {
                piece.keyByContent();
            }
            round(piece);
        }
        addKeys(piece);
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

    private void round(RowBuffer piece) {
        try {
            piece.round();
        } catch (InvalidInputException e) {
            throw new InvalidInputException(file + ": " + e.getMessage(), e);
        }
    }

    private void addKeys(RowBuffer piece) {
        long[] more = piece.keys();
        long all = rows + piece.rows;
        if (more.length > 0 && all < MOST_ROWS) {
            keys = keys.length < all ? Arrays.copyOf(keys, (int) Math.min(MOST_ROWS, all + all / 2)) : keys;
            System.arraycopy(more, 0, keys, (int) rows, piece.rows);
        }
    }

    /** Makes room for {@code times} as much as has been read so far, or part by part. */
    private void makeRoom(double times) {
        double allRows = rows * times;
        boolean dense = Dataset.densePays((long) (stored * times), (long) allRows, features);
        double room = (1 + SPARE_VALUES) * times * (dense ? (double) rows * features : stored);
        double roomForRows = (1 + SPARE_ROWS) * allRows;
        if (roomForRows < MOST_ROWS) {
            assembled = AssembledRows.none(dense, features, room, mostValues);
            assembled.join(waiting, (int) roomForRows, (long) room);
            waiting.clear();
            keys = keys.length == 0 ? keys : Arrays.copyOf(keys, (int) roomForRows);
        }
    }

    /** All rows that were added, in the layout that {@link Dataset#densePays} recommends. */
    Dataset finish() {
        requireUsable();
        boolean dense = Dataset.densePays(stored, rows, features);
        long values = dense ? rows * features : stored;
        if (assembled != null && !assembled.suits(dense, features, values)) {
            waiting.addAll(0, assembled.asPieces().toList());
            assembled = null;
        }
        if (assembled == null) {
            assembled = AssembledRows.none(dense, features, values, mostValues);
        }
        assembled.join(waiting, (int) rows, values);
        Dataset data = assembled.dataset(features);
        return keys.length == 0 ? data : data.withKeys(Arrays.copyOf(keys, (int) rows));
    }

    private void requireUsable() {
        if (rows == 0) {
            throw new InvalidInputException(file + " holds no rows; at least one is needed");
        }
        if (rows > MOST_ROWS) {
            throw new InvalidInputException(file + " holds " + rows + " rows; one place can hold " + MOST_ROWS
                    + ", so split the file over several");
        }
        long values = stored / ((rows - 1) / Parts.LEAST_ROWS + 1);
        if (values > Parts.LARGEST_ARRAY) {
            throw new InvalidInputException(file + ": " + Parts.tooLong(values) + ", so split the file over several");
        }
        if (features == 0) {
            throw new InvalidInputException(
                    file + " holds labels only; rows look like '+1 3:0.5 7:1' or are numbers between commas");
        }
    }
}
