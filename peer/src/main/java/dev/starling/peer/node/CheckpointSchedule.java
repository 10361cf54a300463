package dev.starling.peer.node;

import dev.starling.peer.config.SiteConfig;
import java.util.function.LongSupplier;

/** When the next checkpoint is due: after a while, or once neighbours have to keep too much for this site. */
final class CheckpointSchedule {

    private final SiteConfig.Checkpoints settings;
    private final LongSupplier nanos;
    private final LongSupplier bytesTaken;
    private long lastNanos;
    private long lastBytes;

    /**
     * Creates a schedule whose first interval starts now.
     *
     * @param nanos a clock
     * @param bytesTaken how much this site has taken from its neighbours so far
     */
    CheckpointSchedule(SiteConfig.Checkpoints settings, LongSupplier nanos, LongSupplier bytesTaken) {
        this.settings = settings;
        this.nanos = nanos;
        this.bytesTaken = bytesTaken;
        this.lastNanos = nanos.getAsLong();
    }

    boolean isDue() {
        return nanos.getAsLong() - lastNanos > settings.every().toNanos()
                || bytesTaken.getAsLong() - lastBytes > settings.bytes();
    }

    /** Called when the state is taken for a checkpoint. */
    void taken() {
        lastNanos = nanos.getAsLong();
        lastBytes = bytesTaken.getAsLong();
    }
}
