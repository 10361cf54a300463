package dev.starling.cores;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Adds up rows in blocks, each on its own and perhaps at the same time as others, and the sums of the blocks in their
 * order. How many rows a block has follows from the rows and from what is summed up, so any number of threads gives the
 * same bits. One block, which is all that small data have, is summed up as if there were no blocks.
 */
public final class Blocks {

    /**
     * The sums of a block, or of several.
     *
     * @param <P> its own type
     */
    public interface Part<P> {

        /** Starts again, with nothing added. */
        void clear();

        /** Adds the rows from, …, to − 1. */
        void sum(int from, int to);

        /** Adds the sums of the next block. */
        void add(P next);
    }

    /** How much longer summing up the rows of a block takes than adding its sums to the others, at least. */
    private static final int SHARE = 64;

    /** How many bytes all sums of a loop may take. */
    private static final long MOST_BYTES = 256L << 20;

    private Blocks() {}

    /**
     * The number of rows of a block.
     *
     * @param values how many values a row has, on average
     * @param work how many operations a row takes
     * @param length how many numbers are summed up
     */
    public static int rows(double values, double work, int length) {
        long worthwhile = (long) Math.ceil(SHARE * (double) length / Math.max(1, work) / 1024) * 1024;
        return (int) Math.min(1 << 30, Math.max(Loops.rows(values), worthwhile));
    }

    /**
     * Adds up rows.
     *
     * @param <P> the sums of a block
     * @param rows how many there are
     * @param rowsPerBlock the number of rows of a block
     * @param length how many numbers are summed up, which bounds the memory that is used
     * @param total the sum, to which rows are added
     * @param maker makes a sum with nothing added
     */
    public static <P extends Part<P>> void sum(int rows, int rowsPerBlock, int length, P total, Supplier<P> maker) {
        int blocks = Loops.count(rows, rowsPerBlock);
        if (blocks <= 1) {
            total.sum(0, rows);
            return;
        }
        long affordable = Math.max(1, MOST_BYTES / (Double.BYTES * (long) length));
        int parts = Cores.here() == 1 ? 1 : (int) Math.min(2L * Cores.here(), affordable);
        Run<P> run = new Run<>(parts, total, maker);
        Loops.run(blocks, total.getClass(), any -> {
            Taken<P> taken = run.await();
            boolean ended = false;
            try {
                int from = taken.block * rowsPerBlock;
                taken.part.sum(from, from + Math.min(rowsPerBlock, rows - from));
                ended = true;
            } finally {
                run.finish(taken.block, taken.part, ended);
            }
        });
    }

    /** Takes a part for a block, and adds the parts of finished blocks to the total, in the order of the blocks. */
    private static final class Run<P extends Part<P>> {

        private final int mostParts;
        private final P total;
        private final Supplier<P> maker;
        private final Deque<P> idle = new ArrayDeque<>();
        private final Map<Integer, P> finished = new HashMap<>();
        private int made;
        private int taken;
        private int added;
        private boolean failed;

        Run(int mostParts, P total, Supplier<P> maker) {
            this.mostParts = mostParts;
            this.total = total;
            this.maker = maker;
        }

        /** Blocks before one that has to wait are being summed up, so this ends soon. */
        Taken<P> await() {
            Optional<Taken<P>> next = take();
            while (next.isEmpty()) {
                Thread.yield();
                next = take();
            }
            return next.get();
        }

        /** The next block with a part to sum it up in; empty while all parts wait for earlier blocks. */
        private synchronized Optional<Taken<P>> take() {
            if (taken == 0) {
                return Optional.of(new Taken<>(taken++, total));
            }
            P part = idle.poll();
            if (part == null && made >= mostParts && !failed) {
                return Optional.empty();
            }
            made += part == null ? 1 : 0;
            return Optional.of(new Taken<>(taken++, part == null ? maker.get() : part));
        }

        synchronized void finish(int block, P part, boolean ended) {
            failed |= !ended;
            finished.put(block, part);
            for (P next = finished.remove(added); next != null; next = finished.remove(added)) {
                if (added > 0 && !failed) {
                    total.add(next);
                    next.clear();
                    idle.push(next);
                }
                added++;
            }
        }
    }

    /** A block that is being summed up. */
    private record Taken<P>(int block, P part) {}
}
