package dev.starling.peer.node;

import dev.starling.job.RawWeights;
import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.events.EventLog;
import dev.starling.peer.membership.StartPoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The last certified point of a run, kept in a file, from which a run over a different set of sites can continue. */
final class CertifiedPoint {

    private final Path file;
    private final Duration every;
    private final EventLog log;
    private final LongSupplier nanos;
    private RawWeights latest;
    private long savedNanos;

    CertifiedPoint(Path directory, Duration every, EventLog log, LongSupplier nanos) {
        this.file = directory.resolve(StartPoint.FILE);
        this.every = every;
        this.log = log;
        this.nanos = nanos;
        this.savedNanos = nanos.getAsLong() - every.toNanos();
    }

    /** Called when a point was certified. */
    void reached(RawWeights point) {
        latest = point;
        if (nanos.getAsLong() - savedNanos >= every.toNanos()) {
            save();
        }
    }

    /** Writes the last point, unless it is already on disk. Failing to write it is no reason to stop training. */
    void save() {
        if (latest == null) {
            return;
        }
        savedNanos = nanos.getAsLong();
        try {
            StartPoint.write(latest, file);
        } catch (IOException e) {
            log.warn("certified-point-not-saved", "file", file, "reason", CheckpointStore.describe(e));
        }
        latest = null;
    }
}
