package dev.starling.data;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One thread, the caller's, reads and unpacks; others parse. Buffers go round in a circle, so memory beyond the rows
 * themselves does not grow with the file. Pieces are kept in file order, so the result does not depend on who was
 * faster, nor does the line that is reported as bad.
 */
final class ParallelParsing {

    private final Opening opening;
    private final String file;
    private final int threads;
    private final Runnable progress;
    private final BlockingQueue<byte[]> free;
    private final List<Future<ParsedRows>> pieces = new ArrayList<>();
    private volatile boolean bad;

    ParallelParsing(Opening opening, String file, int chunkBytes, int threads, Runnable progress) {
        this.opening = opening;
        this.file = file;
        this.threads = threads;
        this.progress = progress;
        this.free = new ArrayBlockingQueue<>(threads + 2);
        for (int i = 0; i < threads + 2; i++) {
            free.add(new byte[chunkBytes]);
        }
    }

    /** All rows, or the first bad line as an {@link InvalidInputException}. */
    List<ParsedRows> parse(InputStream text) throws IOException {
        ExecutorService workers = Executors.newFixedThreadPool(threads, ParallelParsing::worker);
        try {
            List<ParsedRows> rows = new ArrayList<>();
            try {
                submitAll(new LineChunks(text), workers);
            } catch (IOException e) {
                // A bad line before the place where reading failed comes first.
                collect(rows);
                throw e;
            }
            collect(rows);
            return rows;
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

    private void submitAll(LineChunks chunks, ExecutorService workers) throws IOException, InterruptedException {
        while (!bad) {
            LineChunks.Chunk chunk = chunks.next(free.take());
            if (chunk.length == 0) {
                return;
            }
            pieces.add(workers.submit(() -> parse(chunk)));
            progress.run();
        }
    }

    private ParsedRows parse(LineChunks.Chunk chunk) {
        try {
            ParsedRows rows = opening.parser().parse(chunk.bytes, chunk.length);
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

    private void collect(List<ParsedRows> rows) throws InterruptedException {
        long lines = opening.skippedLines();
        for (Future<ParsedRows> piece : pieces) {
            ParsedRows parsed = outcome(piece);
            lines += parsed.lines;
            if (parsed.isBad()) {
                throw new InvalidInputException(file + ", line " + lines + ": " + parsed.problem);
            }
            rows.add(parsed);
        }
        pieces.clear();
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
