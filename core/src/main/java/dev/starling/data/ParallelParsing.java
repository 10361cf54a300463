package dev.starling.data;

import dev.starling.data.text.LineChunks;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * Parses a file with several threads: the caller's reads and decompresses, the others parse. Buffers are recycled, and
 * so are pieces once they have been copied, so that memory beyond the rows themselves does not grow with the file.
 * Pieces are handed over in file order, so that neither the result nor the line that is reported as bad depends on
 * which thread was faster.
 */
final class ParallelParsing {

    private final FileHeader opening;
    private final String file;
    private final int threads;
    private final boolean rounds;
    private final LongSupplier bytesRead;
    private final BlockingQueue<byte[]> free;
    private final Queue<ParsedRows> spent = new ConcurrentLinkedQueue<>();
    private final Queue<Piece> pieces = new ArrayDeque<>();
    private long lines;
    private volatile boolean bad;

    /** Receives the pieces of a file in order, on the thread that called {@code parse}. */
    @FunctionalInterface
    interface Taker {
        /**
         * @param rows the next rows, none of them bad
         * @param bytes how many bytes of the file had been read by then
         * @return whether they were copied, so that their arrays can be reused
         */
        boolean take(ParsedRows rows, long bytes);
    }

    private record Piece(Future<ParsedRows> rows, long bytes) {}

    /**
     * @param rounds whether values are rounded to floats as they are parsed
     * @param bytesRead supplies the number of bytes of the file read so far
     */
    ParallelParsing(
            FileHeader opening, String file, int chunkBytes, int threads, boolean rounds, LongSupplier bytesRead) {
        this.opening = opening;
        this.file = file;
        this.threads = threads;
        this.rounds = rounds;
        this.bytesRead = bytesRead;
        this.lines = opening.skippedLines();
        this.free = new ArrayBlockingQueue<>(threads + 2);
        for (int i = 0; i < threads + 2; i++) {
            free.add(new byte[chunkBytes]);
        }
    }

    /** Hands over all rows as soon as they are parsed; the first bad line is an {@link InvalidInputException}. */
    void parse(InputStream text, Taker taker) throws IOException {
        ExecutorService workers = Executors.newFixedThreadPool(threads, ParallelParsing::worker);
        try {
            try {
                submitAll(new LineChunks(text), workers, taker);
            } catch (IOException e) {
                // If there is a bad line before the point where reading failed, that is the error to report.
                handOverAll(taker);
                throw e;
            }
            handOverAll(taker);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        } finally {
            workers.shutdownNow();
        }
    }

    private static Thread worker(Runnable work) {
        Thread thread = new Thread(work, "starling-parse");
        thread.setDaemon(true);
        return thread;
    }

    private void submitAll(LineChunks chunks, ExecutorService workers, Taker taker)
            throws IOException, InterruptedException {
        while (!bad) {
            LineChunks.Chunk chunk = chunks.next(free.take());
            if (chunk.length == 0) {
                return;
            }
            pieces.add(new Piece(workers.submit(() -> parse(chunk)), bytesRead.getAsLong()));
            while (!pieces.isEmpty() && pieces.element().rows.isDone()) {
                handOver(pieces.remove(), taker);
            }
        }
    }

    private ParsedRows parse(LineChunks.Chunk chunk) {
        try {
            ParsedRows recycled = spent.poll();
            ParsedRows rows = recycled == null ? ParsedRows.ofText(chunk.length, rounds) : recycled;
            opening.parser().parse(chunk.bytes, chunk.length, rows);
            if (rows.isBad()) {
                bad = true;
            }
            return rows;
        } catch (RuntimeException | Error e) {
            bad = true;
            throw e;
        } finally {
            free.add(chunk.bytes);
        }
    }

    private void handOverAll(Taker taker) throws InterruptedException {
        while (!pieces.isEmpty()) {
            handOver(pieces.remove(), taker);
        }
    }

    private void handOver(Piece piece, Taker taker) throws InterruptedException {
        ParsedRows rows = outcome(piece.rows);
        lines += rows.lines;
        if (rows.isBad()) {
            throw new InvalidInputException(file + ", line " + lines + ": " + rows.problem);
        }
        if (taker.take(rows, piece.bytes)) {
            rows.clear();
            spent.add(rows);
        }
    }

    private static ParsedRows outcome(Future<ParsedRows> piece) throws InterruptedException {
        try {
            return piece.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("parsing failed", e.getCause());
        }
    }
}
