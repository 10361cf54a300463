package dev.starling.peer.node;

import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.transport.Link;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/**
 * Writes checkpoints in the background, one at a time, and tells the neighbours which messages they no longer need to
 * keep: those that precede the oldest checkpoint on which this site may still fall back.
 */
final class Checkpointer implements AutoCloseable {

    private static final int LONGEST_MINUTES = 5;

    private final CheckpointStore store;
    private final List<Link> links;
    private final int keep;
    private final LongConsumer whenDurable;
    private final Deque<long[]> positions = new ArrayDeque<>();
    private final ExecutorService writer;
    private Future<?> pending;
    private volatile IOException failure;
    private volatile long durableRound;

    /** Creates a writer that works in a thread of its own. */
    Checkpointer(CheckpointStore store, List<Link> links, int keep, LongConsumer whenDurable, ExecutorService writer) {
        this.store = store;
        this.links = links;
        this.keep = keep;
        this.whenDurable = whenDurable;
        this.writer = writer;
    }

    /** Called once the links have been restored from a checkpoint. */
    void restored(long round) {
        positions.addLast(taken());
        durableRound = round;
    }

    /** The round of the newest checkpoint that is on disk. */
    long durableRound() {
        return durableRound;
    }

    boolean isBusy() {
        return pending != null && !pending.isDone();
    }

    /** Starts writing a state; the links must be at the positions it holds. */
    void begin(byte[] content, long round) {
        long[] here = taken();
        pending = writer.submit(() -> write(content, here, round));
    }

    /** Writes a state and waits until it is on disk. */
    void complete(byte[] content, long round) {
        begin(content, round);
        try {
            pending.get(LONGEST_MINUTES, TimeUnit.MINUTES);
        } catch (TimeoutException e) {
            throw new PeerStoppedException(
                    store.directory() + ": a checkpoint could not be written in " + LONGEST_MINUTES + " minutes", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerStoppedException("interrupted while a checkpoint was written; start again to resume", e);
        }
        requireSuccess(round);
    }

    /** Lets the neighbours discard everything this site has processed: the run has ended and its result is on disk. */
    void releaseAll() {
        for (Link link : links) {
            link.durable(link.taken());
        }
    }

    void requireSuccess(long round) {
        IOException e = failure;
        if (e != null) {
            throw new PeerStoppedException(
                    store.directory() + ": the checkpoint at round " + round + " cannot be written: "
                            + CheckpointStore.describe(e) + "; the one from round " + durableRound
                            + " is intact, so make room and start again to resume",
                    e);
        }
    }

    private void write(byte[] content, long[] here, long round) {
        try {
            store.write(content);
        } catch (IOException e) {
            failure = e;
            return;
        }
        durableRound = round;
        positions.addLast(here);
        while (positions.size() > keep) {
            positions.removeFirst();
        }
        if (positions.size() == keep) {
            long[] oldest = positions.getFirst();
            for (int k = 0; k < oldest.length; k++) {
                links.get(k).durable(oldest[k]);
            }
        }
        whenDurable.accept(round);
    }

    private long[] taken() {
        return links.stream().mapToLong(Link::taken).toArray();
    }

    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(10, TimeUnit.SECONDS)) {
                writer.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
